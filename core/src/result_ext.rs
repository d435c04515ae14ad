//! Internal errors by `?`.

use std::error::Error;

use crate::fault::Fault;

/// Makes internal errors of the errors that a handler cannot do anything about.
///
/// A handler converts the [`Fault`] with `?`: either it returns faults, or its error enum has a
/// variant `Internal(Fault)`.
///
/// ```
/// use docent_core::{Fault, ResultExt, RpcError};
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
    /// Makes the error an internal error (-32603), whose caller learns nothing but an incident ID.
    /// The error is logged, and so are its [sources](Error::source).
    fn internal(self) -> Result<T, Fault>;
}

/// For every error, and for texts: whatever a box of an error is made of.
impl<'a, T, E: Into<Box<dyn Error + 'a>>> ResultExt<T> for Result<T, E> {
    fn internal(self) -> Result<T, Fault> {
        self.map_err(|error| Fault::caused_by(&*error.into()))
    }
}
