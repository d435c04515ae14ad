//! Turns errors of other crates into internal errors, for `?`.
//!
//! `?` alone would have to decide what callers see of a foreign error. Calling `internal` says it:
//! nothing but the ID of an incident.

use std::error::Error;

use crate::fault::Fault;

/// Turns errors that a handler can do nothing about into internal errors.
///
/// A handler converts the [`Fault`] with `?`: either it returns faults, or its error enum has a
/// variant `Internal(Fault)`.
///
/// ```
/// use docent::{Fault, ResultExt, RpcError};
///
/// #[derive(Debug, RpcError)]
/// enum CountError {
///     #[rpc(code = 1404, message = "No such file", status = 404)]
///     NoSuchFile,
///     Internal(Fault),
/// }
///
/// fn count_lines(path: &str) -> Result<usize, CountError> {
///     if path.is_empty() {
///         return Err(CountError::NoSuchFile);
///     }
///     let text = std::fs::read_to_string(path).internal()?;
///     Ok(text.lines().count())
/// }
///
/// let failed = count_lines("/no/such/file").unwrap_err().into_fault();
/// assert_eq!((failed.code(), failed.data()), (-32603, None));
/// ```
pub trait ResultExt<T> {
    /// Turns the error into an internal error (-32603). The caller gets only an incident ID. The
    /// error is logged, and so are its [sources](Error::source).
    fn internal(self) -> Result<T, Fault>
    where
        Self: Fallible<T>;
}

/// Accepts every error type and text, as everything that converts into a boxed error.
impl<T, E> ResultExt<T> for Result<T, E> {
    fn internal(self) -> Result<T, Fault>
    where
        Self: Fallible<T>,
    {
        self.or_fault()
    }
}

/// Exists only so that the compiler can say what to do.
#[doc(hidden)]
impl<T> ResultExt<T> for Option<T> {
    fn internal(self) -> Result<T, Fault>
    where
        Self: Fallible<T>,
    {
        self.or_fault()
    }
}

/// A value, or the cause of an internal error. An `Option` has no cause.
#[diagnostic::on_unimplemented(
    message = "an `Option` has no error to turn into an internal one",
    label = "say what is missing: `.ok_or(\"…\").internal()?`"
)]
pub trait Fallible<T> {
    fn or_fault(self) -> Result<T, Fault>;
}

impl<T, E: Cause> Fallible<T> for Result<T, E> {
    fn or_fault(self) -> Result<T, Fault> {
        self.map_err(Cause::into_fault)
    }
}

/// An error that can be logged.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an error nor a text, so it cannot become an internal error",
    label = "the error of this `Result` does not implement `std::error::Error`",
    note = "implement `std::error::Error` for it, or turn it into a text first: `.map_err(|error| \
            format!(\"{{error:?}}\"))`"
)]
pub trait Cause {
    fn into_fault(self) -> Fault;
}

#[diagnostic::do_not_recommend]
impl<'a, E: Into<Box<dyn Error + 'a>>> Cause for E {
    fn into_fault(self) -> Fault {
        Fault::caused_by(&*self.into())
    }
}
