//! Errors of procedures, read from the responses of a service.

use std::convert::Infallible;

use docent_core::Fault;
use serde::de::DeserializeOwned;

/// An error type that a client reads from a fault: the inverse of
/// [`RpcError::into_fault`](crate::RpcError::into_fault).
///
/// `#[derive(RpcError)]` implements it if the data of each variant implements `Deserialize`. Errors
/// are told apart by their codes; if several have the same code, by their messages and the type of
/// their data. Variants that hold a [`Fault`], such as internal errors, are never read: these are
/// [`ClientError::Fault`](super::ClientError::Fault).
///
/// Implement it yourself for a type that implements `RpcError` without the derive:
///
/// ```
/// use docent_server::client::FromFault;
/// use docent_server::{ErrorList, Fault, RpcError};
///
/// #[derive(Debug, PartialEq)]
/// struct Remote(i64);
///
/// impl RpcError for Remote {
///     fn declare(errors: &mut ErrorList) {
///         let _ = errors.add(1502, "Remote error").data::<i64>();
///     }
///
///     fn into_fault(self) -> Fault {
///         Fault::new(1502, "Remote error").with_data(&self.0)
///     }
/// }
///
/// impl FromFault<'_> for Remote {
///     fn from_fault(fault: &Fault) -> Option<Self> {
///         let status = fault.data().and_then(|data| data.parse().ok());
///         status.map(Remote).filter(|_| fault.code() == 1502)
///     }
/// }
///
/// assert_eq!(Remote::from_fault(&Remote(504).into_fault()), Some(Remote(504)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a client cannot read the error `{Self}` from what the service answers with",
    label = "does not implement `FromFault`",
    note = "derive `RpcError`, and `serde::Deserialize` for the data of each variant, or implement \
            `FromFault`"
)]
pub trait FromFault<'fault>: Sized {
    /// Converts a fault that has the code and the message of an error of this type, and data of its
    /// type.
    fn from_fault(fault: &'fault Fault) -> Option<Self>;

    /// Converts a fault that has the code of an error of this type, and data of its type. The message
    /// may be another: it is for people, so a newer version of a service may word it differently.
    fn from_fault_by_code(fault: &'fault Fault) -> Option<Self> {
        Self::from_fault(fault)
    }
}

/// A procedure without an error type of its own declares no error that its client could know.
impl FromFault<'_> for Fault {
    fn from_fault(_: &Fault) -> Option<Self> {
        None
    }
}

impl FromFault<'_> for Infallible {
    fn from_fault(_: &Fault) -> Option<Self> {
        None
    }
}

/// Reads the data of a fault. Data that may be null may also be absent.
pub fn data_of<D: DeserializeOwned>(fault: &Fault) -> Option<D> {
    serde_json::from_str(fault.data().unwrap_or("null")).ok()
}
