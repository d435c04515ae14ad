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
    /// The database cannot be reached, does not answer, is kept busy by others, or takes no writes: its disk is full, or it
    /// is a copy that only answers reads. To repeat the call with its key may help. Callers get -32002 (Busy).
    #[error("the database cannot take the call now: {0}")]
    Unavailable(#[source] BoxError),
    /// The key has an outcome, so the transaction was not committed.
    #[error("a call with the same key was made before")]
    Repeated,
    /// The events after a cursor are not kept any more, or it is no cursor. Callers get -32014 (Cannot resume).
    #[error("the events after this cursor are not kept")]
    CannotResume,
    /// The database failed: a mistake in a statement, a broken file. Callers get -32603 (Internal error).
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

/// Returns the texts of an error and of its sources. Those of tokio-postgres say what the server has answered.
pub(crate) fn with_sources(error: &dyn std::error::Error) -> String {
    let mut texts = vec![error.to_string()];
    let mut source = error.source();
    while let Some(error) = source {
        let text = error.to_string();
        if texts.last().is_none_or(|last| !last.ends_with(&text)) {
            texts.push(text);
        }
        source = error.source();
    }
    texts.join(": ")
}

/// The errors are the protocol's own, so there is none to declare.
impl RpcError for Error {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        match self {
            Self::Unavailable(_) => {
                // For operators: the caller gets no cause.
                tracing::warn!("{}", with_sources(&self));
                Fault::busy("the database cannot take the call now", RETRY_AFTER)
            }
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
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, ReadOnly};

        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked | DiskFull | OutOfMemory | ReadOnly) => {
                Self::Unavailable(error.into())
            }
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

/// Returns whether an error of the server is about other transactions, its resources, or its start or stop.
#[cfg(feature = "postgres")]
fn may_pass(state: &tokio_postgres::error::SqlState) -> bool {
    use tokio_postgres::error::SqlState;

    const BUSY: [SqlState; 9] = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    // The classes of broken connections, and of resources such as a disk.
    let classes = ["08", "53"];
    BUSY.contains(state) || classes.iter().any(|class| state.code().starts_with(class))
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
