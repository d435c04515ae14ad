//! Macros that define methods of the same shape.

/// Defines methods of a builder, each of which changes it and returns it.
macro_rules! setters {
    ($(
        $(#[$attribute:meta])*
        $name:ident($($argument:ident: $type:ty),*) |$it:ident| $change:expr;
    )*) => {$(
        $(#[$attribute])*
        pub fn $name(mut self, $($argument: $type),*) -> Self {
            let $it = &mut self;
            $change;
            self
        }
    )*};
}

/// Implements `Debug` with these fields, for a type whose others say nothing or must stay out of logs.
macro_rules! debug {
    ($type:ident $(<$($generic:tt),+>)?, |$it:pat_param| { $($field:ident: $value:expr),* }) => {
        impl $(<$($generic),+>)? std::fmt::Debug for $type $(<$($generic),+>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $it = self;
                f.debug_struct(stringify!($type))
                    $(.field(stringify!($field), &$value))*
                    .finish_non_exhaustive()
            }
        }
    };
}

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
