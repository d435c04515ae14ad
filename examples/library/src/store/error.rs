//! The errors of the store.
//!
//! The variants tell whether something was changed, and whether another attempt may succeed. A caller's
//! own mistake is a [`LibraryError`].

use rusqlite::ErrorCode;

use crate::model::LibraryError;

/// The result of a function of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// The database's own report of a failure.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The failure of a function of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The library rejects the request. The caller learns why.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// Others kept the database busy for longer than the store waits. Nothing was changed, and a
    /// retry may succeed.
    #[error("others keep the database busy")]
    Busy,
    /// The database cannot be reached, or the connection broke before the commit. Nothing was changed,
    /// and a retry may succeed.
    #[error("the database cannot be reached: {0}")]
    Disconnected(#[source] BoxError),
    /// The connection broke during the commit. The change was made, or it was not.
    #[error("the connection to the database broke during a commit, whose outcome is unknown: {0}")]
    Unknown(#[source] BoxError),
    /// The database cannot do this now: its disk is full, it has no memory left, or it does not let anyone write. Nothing was
    /// changed, and a retry may succeed.
    #[error("the database cannot do this now: {0}")]
    Unavailable(#[source] BoxError),
    /// The database failed: a damaged file, a mistake in a statement. Nothing was changed.
    #[error("the database failed: {0}")]
    Broken(#[source] BoxError),
    /// The database contains something that this program does not write. Nothing was changed.
    #[error("the database has a value that cannot be read: {0}")]
    Unreadable(#[source] BoxError),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull | ErrorCode::OutOfMemory | ErrorCode::ReadOnly) => {
                Self::Unavailable(error.into())
            }
            _ => Self::Broken(error.into()),
        }
    }
}

impl From<OpenErrorKind> for docent_keys::Error {
    /// Returns the error of a subscription that needs a database which cannot be opened.
    fn from(kind: OpenErrorKind) -> Self {
        match Error::from(kind) {
            error if error.may_pass() => Self::Unavailable(error.into()),
            error => Self::Failed(error.into()),
        }
    }
}

impl From<docent_keys::Error> for Error {
    fn from(error: docent_keys::Error) -> Self {
        match error {
            docent_keys::Error::Unavailable(cause) => Self::unavailable(cause),
            // The outcome of the other call could not be read.
            docent_keys::Error::Repeated => Self::Busy,
            docent_keys::Error::Failed(cause) => Self::Broken(cause),
            error => Self::Broken(error.into()),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error.into())
    }
}

impl From<OpenErrorKind> for Error {
    /// Returns the error of a call that needs a database which cannot be opened.
    fn from(kind: OpenErrorKind) -> Self {
        match kind {
            OpenErrorKind::Failed(error) => error,
            kind => Self::Broken(kind.into()),
        }
    }
}

impl Error {
    /// Returns whether nothing was changed and a retry may succeed.
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Busy | Self::Disconnected(_) | Self::Unavailable(_)
        )
    }

    /// Returns the error for what kept the store of keys from its work.
    fn unavailable(cause: BoxError) -> Self {
        match cause.downcast::<rusqlite::Error>() {
            Ok(error) => Self::from(*error),
            #[cfg(feature = "postgres")]
            Err(cause) => super::postgres::unavailable(cause),
            #[cfg(not(feature = "postgres"))]
            Err(_) => Self::Busy,
        }
    }

    /// The error for a value that this program never stores.
    pub(super) fn unexpected(what: &'static str) -> Self {
        Self::Unreadable(what.into())
    }
}

/// The failure to open a database.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the library {place}: {kind}")]
pub struct OpenError {
    place: String,
    #[source]
    kind: OpenErrorKind,
}

/// The reason why a database could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenErrorKind {
    /// The file is not a database, or the database belongs to another program.
    #[error("it is not a library's database and was not changed")]
    NotALibrary,
    /// A newer version of this program wrote the database.
    #[error(
        "its schema has version {found}, but this program supports {known}: it was written by a newer version"
    )]
    TooNew {
        /// The version of its schema.
        found: u32,
        /// The latest version that this program knows.
        known: u32,
    },
    /// The program was built without the feature `postgres`.
    #[error("this program was built without PostgreSQL: build it with `--features postgres`")]
    NoDriver,
    /// The file system cannot share a write-ahead log between processes.
    #[error("it cannot have a write-ahead log: it must be a file on a local disk")]
    NoWriteAheadLog,
    /// The database failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl OpenError {
    pub(super) fn new(place: String, kind: OpenErrorKind) -> Self {
        Self { place, kind }
    }

    /// Returns why it could not be opened.
    pub fn kind(&self) -> &OpenErrorKind {
        &self.kind
    }
}

impl From<rusqlite::Error> for OpenErrorKind {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotALibrary,
            _ => Self::Failed(error.into()),
        }
    }
}
