//! The return type of a function whose name a macro cannot interpret, such as an alias.

/// A `Result` of any name. Generated code reads the parts of a return type from it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Result`",
    label = "a procedure returns a `Result`, even if it cannot fail: `Result<{Self}, Fault>`"
)]
pub trait Outcome {
    /// The type of `Ok`.
    type Value;
    /// The type of `Err`.
    type Error;
}

impl<T, E> Outcome for Result<T, E> {
    type Value = T;
    type Error = E;
}
