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
