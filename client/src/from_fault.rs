//! Errors of procedures, read from the errors that a service answers with.
//!
//! This is the inverse of `docent_core::RpcError`, which writes them: [`FromFault`] finds out which error of its type a
//! procedure meant. An error that it does not know stays a [`Fault`].

use std::convert::Infallible;

use docent_core::__private::decode_text;
use docent_core::{ErrorList, Fault, RpcError};
use serde::de::DeserializeOwned;

use crate::error::ClientError;

/// An error type that a client reads from a fault: the inverse of `RpcError::into_fault`.
///
/// `#[derive(RpcError)]` implements it if the data of each variant implements `Deserialize`. The code tells
/// errors apart; if several have the same code, so do their messages and the type of their data. Variants that
/// hold a [`Fault`], such as internal errors, are never read: they become
/// [`ClientError::Fault`](crate::ClientError::Fault).
///
/// Implement it yourself for a type that implements `RpcError` without the derive:
///
/// ```
/// use docent::Fault;
/// use docent::client::FromFault;
///
/// #[derive(Debug, PartialEq)]
/// struct Remote(i64);
///
/// impl FromFault<'_> for Remote {
///     fn from_fault(fault: &Fault) -> Option<Self> {
///         let status = fault.data().and_then(|data| data.parse().ok());
///         status.map(Remote).filter(|_| fault.code() == 1502)
///     }
/// }
///
/// let fault = Fault::new(1502, "Remote error").with_data(&504);
/// assert_eq!(Remote::from_fault(&fault), Some(Remote(504)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a client cannot read the error `{Self}` from a response",
    label = "does not implement `FromFault`",
    note = "derive `RpcError`, and `serde::Deserialize` for the data of each variant, or implement \
            `FromFault`"
)]
pub trait FromFault<'fault>: Sized + Send + 'static {
    /// Converts a fault with the code, the message and the type of data of an error of this type. Returns
    /// `None` for any other fault.
    fn from_fault(fault: &'fault Fault) -> Option<Self>;

    /// Converts a fault with the code and the type of data of an error of this type, whatever its message:
    /// messages are for people, so a newer version of the service may reword them. If several errors have the
    /// same code, the message must match, too.
    fn from_fault_by_code(fault: &'fault Fault) -> Option<Self> {
        Self::from_fault(fault)
    }

    /// Returns whether the same call may succeed later.
    fn may_be_repeated(&self) -> bool {
        false
    }
}

/// An error type that a client reads: one that implements [`FromFault`] for every lifetime.
pub trait DeclaredErrors: for<'fault> FromFault<'fault> {}

impl<E: for<'fault> FromFault<'fault>> DeclaredErrors for E {}

/// Returns `None` if errors of a type that have this code are told apart by their messages.
pub fn unless_shared<E: RpcError>(code: i64) -> Option<()> {
    let mut errors = ErrorList::default();
    E::declare(&mut errors);
    (!errors.shares(code)).then_some(())
}

/// A procedure without an error type of its own declares no errors to its client.
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

/// Reads the data of a fault. Absent data is read as null.
pub fn data_of<D: DeserializeOwned>(fault: &Fault) -> Option<D> {
    decode_text(fault.data().unwrap_or("null")).ok()
}

/// An error that a procedure declares: its code, its message, and a function that reads its data.
pub type DeclaredError<'a, E> = (i64, &'a str, fn(&Fault) -> Option<E>);

/// Reads one of several errors: the first with the code of the fault. If errors of this code have
/// different messages, the message must be the same too.
///
/// ```
/// use docent_client::{Fault, first_match};
///
/// let read = |code, message| {
///     let fault = Fault::new(code, message);
///     first_match(&fault, &[
///         (7, "Not found", |_| Some("not found")),
///         (7, "Pruned", |_| Some("pruned")),
///         (8, "Busy", |_| Some("busy")),
///     ])
/// };
/// assert_eq!(read(7, "Pruned"), Some("pruned"));
/// assert_eq!(read(7, "Archived"), None);
/// assert_eq!(read(8, "Come back later"), Some("busy"));
/// ```
pub fn first_match<E>(fault: &Fault, errors: &[DeclaredError<'_, E>]) -> Option<E> {
    let mut same_code = errors.iter().filter(|(code, ..)| *code == fault.code());
    let (_, first, _) = same_code.clone().next()?;
    let is_one = same_code.clone().all(|(_, message, _)| message == first);
    same_code.find_map(|(_, message, read)| {
        if is_one || *message == fault.message() {
            read(fault)
        } else {
            None
        }
    })
}

/// The result of a call of a procedure that returns `R`, a `Result` of any name.
pub type CallResult<R> = Result<<R as Outcome>::Value, ClientError<<R as Outcome>::Error>>;

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
