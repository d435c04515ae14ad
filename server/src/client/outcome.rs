//! What a function returns, where a macro sees only the name of an alias.

/// A `Result`, by whatever name. Generated code asks it for the parts of a return type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Result`",
    label = "a procedure returns a `Result`, even if it cannot fail: `Result<{Self}, Fault>`"
)]
pub trait Outcome {
    /// The type of the result.
    type Value;
    /// The type of the error.
    type Error;
}

impl<T, E> Outcome for Result<T, E> {
    type Value = T;
    type Error = E;
}
