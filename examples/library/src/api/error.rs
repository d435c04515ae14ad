//! Converts the store's errors to those that procedures declare.
//!
//! Each procedure has an enum of exactly the errors that it can return, so its description is
//! exact. [`ProcedureError`] adds what can happen to every procedure: a busy or broken database.

use std::convert::Infallible;

use docent::{ErrorList, Fault, RpcError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::model::LibraryError;
use crate::store;

/// The seconds that a caller should wait before it retries. The store has waited for other transactions by then, so
/// they are likely to end soon.
const COME_BACK_AFTER: u32 = 1;

/// The time to wait before a repetition.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Retry {
    /// The seconds to wait first.
    retry_after: u32,
}

/// The errors that every procedure may answer with.
#[derive(Debug, RpcError)]
enum DatabaseError {
    /// The database is busy, cannot be reached or cannot write now. Nothing was changed: send the same call again.
    #[rpc(code = 1503, message = "Database busy", status = 503, retry = true)]
    Busy(Retry),
}

/// A procedure's error enum, which covers some of the library's errors.
pub(super) trait FromLibraryError: RpcError + Sized {
    /// Converts a library error to this type, or returns it if this type does not cover it.
    fn from_library(error: LibraryError) -> Result<Self, LibraryError>;
}

/// Implements [`FromLibraryError`] for an error enum whose variants are named like the library's errors.
macro_rules! converts_library_errors {
    ($name:ident: $($variant:ident),+ $(,)?) => {
        impl $crate::api::error::FromLibraryError for $name {
            fn from_library(
                error: $crate::model::LibraryError,
            ) -> Result<Self, $crate::model::LibraryError> {
                match error {
                    $($crate::model::LibraryError::$variant(data) => Ok(Self::$variant(data)),)+
                    other => Err(other),
                }
            }
        }
    };
}
pub(super) use converts_library_errors;

/// Implemented for procedures that have no errors of their own.
impl FromLibraryError for Infallible {
    fn from_library(error: LibraryError) -> Result<Self, LibraryError> {
        Err(error)
    }
}

/// The error of a call: the procedure rejects it, or the database cannot serve it.
#[derive(Debug)]
pub(super) enum ProcedureError<E> {
    /// The procedure rejects the request.
    Library(E),
    /// The database cannot serve the call now, and the caller should retry.
    Busy,
    /// The database is broken, and no caller can help. The cause is logged.
    Broken(Fault),
}

impl<E: FromLibraryError> From<store::Error> for ProcedureError<E> {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Library(error) => match E::from_library(error) {
                Ok(error) => Self::Library(error),
                Err(other) => Self::Broken(Fault::internal(format_args!(
                    "the store returned an error that this procedure does not declare: {other}"
                ))),
            },
            error if error.may_pass() => {
                if let store::Error::Unavailable(cause) = error {
                    // The check of readiness only reads, so nothing else tells the operator.
                    tracing::warn!("the database cannot write now: {cause}");
                }
                Self::Busy
            }
            broken => Self::Broken(Fault::internal(broken)),
        }
    }
}

impl<E: RpcError> RpcError for ProcedureError<E> {
    fn declare(errors: &mut ErrorList) {
        errors.include::<E>();
        errors.include::<DatabaseError>();
    }

    fn into_fault(self) -> Fault {
        match self {
            Self::Library(error) => error.into_fault(),
            Self::Busy => {
                let retry_after = COME_BACK_AFTER;
                DatabaseError::Busy(Retry { retry_after }).into_fault()
            }
            Self::Broken(fault) => fault,
        }
    }
}

/// Converts a result of the store to that of a procedure with the errors `E`.
pub(super) fn answer<E: FromLibraryError, T>(
    outcome: store::Result<T>,
) -> Result<T, ProcedureError<E>> {
    outcome.map_err(ProcedureError::from)
}

#[cfg(test)]
mod tests {
    use docent::code;

    use docent::client::FromFault;

    use super::*;
    use crate::model::{BookId, NoSuchBook};

    /// Implemented for the clients of tests. The derive has written it for the errors of each procedure.
    impl<'fault, E: FromFault<'fault>> FromFault<'fault> for ProcedureError<E> {
        fn from_fault(fault: &'fault Fault) -> Option<Self> {
            match fault.code() {
                1503 => Some(Self::Busy),
                _ => E::from_fault(fault).map(Self::Library),
            }
        }
    }

    fn fault<E: FromLibraryError>(error: store::Error) -> Fault {
        ProcedureError::<E>::from(error).into_fault()
    }

    #[test]
    fn a_busy_database_is_an_error_that_says_when_to_retry() {
        let busy = fault::<Infallible>(store::Error::Busy);
        assert_eq!(
            (busy.code(), busy.data()),
            (1503, Some(r#"{"retry_after":1}"#))
        );
    }

    #[test]
    fn a_broken_database_and_an_undeclared_error_are_internal_errors_that_reveal_nothing() {
        let broken = store::Error::Broken("the disk is full".into());
        let book = BookId(1);
        let undeclared = store::Error::Library(LibraryError::NoSuchBook(NoSuchBook { book }));
        for error in [broken, undeclared] {
            let fault = fault::<Infallible>(error);
            assert_eq!((fault.code(), fault.data()), (code::INTERNAL_ERROR, None));
        }
    }
}
