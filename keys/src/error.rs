//! The errors of the stores, and what callers get of them.

use std::time::Duration;

use docent_core::{ErrorList, Fault, RpcError};

/// The time after which a caller should repeat a call that the database could not serve.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The report of a database.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The failure of a store.
///
/// It is an error of handlers: alone, or in an enum as `#[rpc(transparent)] Keys(docent_keys::Error)`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database cannot be reached, does not answer, or is kept busy by others. To repeat the call with its key may
    /// help. Callers get -32002 (Busy).
    #[error("the database does not answer: {0}")]
    Unavailable(#[source] BoxError),
    /// The key has an outcome, so the transaction was not committed.
    #[error("a call with the same key was made before")]
    Repeated,
    /// The events after a cursor are not kept any more, or it is no cursor. Callers get -32014 (Cannot resume).
    #[error("the events after this cursor are not kept")]
    CannotResume,
    /// The database failed: a full disk, a mistake in a statement. Callers get -32603 (Internal error).
    #[error("the database failed: {0}")]
    Failed(#[source] BoxError),
}

impl Error {
    /// Returns whether the database has not answered within the deadline of the store.
    #[cfg(feature = "postgres")]
    pub(crate) fn is_late(&self) -> bool {
        matches!(self, Self::Unavailable(cause) if cause.is::<tokio::time::error::Elapsed>())
    }

    /// Returns the error for a store of one call that is used for a second.
    pub(crate) fn used_twice() -> Self {
        Self::Failed("a store within a transaction serves one call".into())
    }
}

/// The errors are the protocol's own, so there is none to declare.
impl RpcError for Error {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        match self {
            Self::Unavailable(_) => Fault::busy("the database does not answer", RETRY_AFTER),
            Self::CannotResume => Fault::cannot_resume(),
            Self::Repeated | Self::Failed(_) => Fault::from_error(self),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        error.into_fault()
    }
}

#[cfg(feature = "sqlite")]
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};

        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Self::Unavailable(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let is_unavailable = match error.code() {
            Some(state) => may_pass(state),
            None => error.is_closed() || has_io_error(&error),
        };
        if is_unavailable {
            Self::Unavailable(error.into())
        } else {
            Self::Failed(error.into())
        }
    }
}

/// Returns whether an error of the server is about other transactions, or about its start or stop.
#[cfg(feature = "postgres")]
fn may_pass(state: &tokio_postgres::error::SqlState) -> bool {
    use tokio_postgres::error::SqlState;

    const BUSY: [SqlState; 9] = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    // The class of broken connections.
    BUSY.contains(state) || state.code().starts_with("08")
}

#[cfg(feature = "postgres")]
fn has_io_error(error: &dyn std::error::Error) -> bool {
    let Some(cause) = error.source() else {
        return false;
    };
    cause.is::<std::io::Error>() || has_io_error(cause)
}

#[cfg(feature = "postgres")]
impl From<deadpool_postgres::PoolError> for Error {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        use deadpool_postgres::PoolError;

        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(_) => Self::Unavailable(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}
