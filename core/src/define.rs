//! Macros for implementations of the same shape.

/// Displays a type as a text.
macro_rules! display {
    ($type:ty, |$it:ident| $text:expr) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $it = self;
                std::fmt::Display::fmt($text, f)
            }
        }
    };
}
