//! The errors of the store.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::model::LibraryError;

/// The result of a function of the store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a function of the store failed.
#[derive(Debug)]
pub enum Error {
    /// The library rejects the request. The caller learns why.
    Refused(LibraryError),
    /// Another process kept the database locked for longer than the store waits. Nothing was
    /// changed, and a retry may succeed.
    Busy,
    /// The database failed: a full disk, a damaged file. Nothing was changed.
    Broken(rusqlite::Error),
    /// The database contains something that this program does not write. Nothing was changed.
    Unreadable(serde_json::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::Busy => f.write_str("another process keeps the database locked"),
            Self::Broken(error) => write!(f, "the database failed: {error}"),
            Self::Unreadable(error) => write!(f, "a remembered request is unreadable: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) | Self::Busy => None,
            Self::Broken(error) => Some(error),
            Self::Unreadable(error) => Some(error),
        }
    }
}

impl From<LibraryError> for Error {
    fn from(error: LibraryError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            _ => Self::Broken(error),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Why a database could not be opened.
#[derive(Debug)]
pub struct OpenError {
    path: PathBuf,
    kind: OpenErrorKind,
}

/// Why a database could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenErrorKind {
    /// The file is not a database, or belongs to another program.
    NotALibrary,
    /// A newer version of this program wrote the file.
    TooNew {
        /// The version of the schema in the file.
        found: u32,
        /// The latest version that this program knows.
        known: u32,
    },
    /// The file system cannot share a write-ahead log between processes.
    NoWriteAheadLog,
    /// The database failed.
    Failed(Error),
}

impl OpenError {
    pub(super) fn new(path: &Path, kind: OpenErrorKind) -> Self {
        Self {
            path: path.to_owned(),
            kind,
        }
    }

    /// Returns the file that could not be opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns why it could not be opened.
    pub fn kind(&self) -> &OpenErrorKind {
        &self.kind
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot open the library {}: ", self.path.display())?;
        match &self.kind {
            OpenErrorKind::NotALibrary => {
                f.write_str("the file is not a library database and was not changed")
            }
            OpenErrorKind::TooNew { found, known } => write!(
                f,
                "its schema has version {found}, but this program supports {known}: it was \
                 written by a newer version"
            ),
            OpenErrorKind::NoWriteAheadLog => {
                f.write_str("it cannot have a write-ahead log: it must be a file on a local disk")
            }
            OpenErrorKind::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            OpenErrorKind::Failed(error) => Some(error),
            _ => None,
        }
    }
}

impl<E: Into<Error>> From<E> for OpenErrorKind {
    fn from(error: E) -> Self {
        match error.into() {
            Error::Broken(broken)
                if broken.sqlite_error_code() == Some(ErrorCode::NotADatabase) =>
            {
                Self::NotALibrary
            }
            other => Self::Failed(other),
        }
    }
}
