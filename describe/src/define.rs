//! Macros that implement the same trait for several types.
//!
//! They replace implementations that would be written over and over: conversions, enums with a name for each
//! variant, and texts for people.

/// Implements `From` for a type, with an expression for each type that it is created from.
macro_rules! from {
    ($target:ty: $($value:ident: $source:ty => $create:expr;)*) => {$(
        impl From<$source> for $target {
            fn from($value: $source) -> Self {
                $create
            }
        }
    )*};
}

/// Creates an enum whose variants have names in a description.
macro_rules! named_variants {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$about:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$about])* $variant,)* }

        impl $name {
            /// Returns its name in a description.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Returns the variant for a name in a description, or `None` if the name is unknown.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// Displays a type as a text. It is for Docent's own crates.
#[doc(hidden)]
#[macro_export]
macro_rules! display {
    ($type:ty, |$value:pat_param| $text:expr) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $value = self;
                std::fmt::Display::fmt($text, f)
            }
        }
    };
}
