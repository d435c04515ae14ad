//! Macros that implement the same trait for several types.

/// Creates a type from others, each in its own way.
macro_rules! from {
    ($made:ty: $($value:ident: $given:ty => $create:expr;)*) => {$(
        impl From<$given> for $made {
            fn from($value: $given) -> Self {
                $create
            }
        }
    )*};
}

/// Creates an enum whose variants are words of a description.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$about])* $variant,)* }

        impl $name {
            /// Returns its word in a description.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns the variant for a word, or `None` if the word is unknown.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
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
    ($type:ty, |$it:pat_param| $text:expr) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $it = self;
                std::fmt::Display::fmt($text, f)
            }
        }
    };
}
