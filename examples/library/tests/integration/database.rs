//! Stores for tests, each in a file of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use library::clock::{Clock, FixedClock};
use library::store::Store;
use tempfile::TempDir;

use crate::http::EXAMPLES_DAY;
use crate::support::day;

/// The statement that makes all events older than they are kept.
pub(crate) const LET_EVENTS_AGE: &str = "UPDATE docent_events SET at = at - 8 * 86400";

/// A database that is removed with this.
pub(crate) struct Database(TempDir);

impl Database {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("library.db")
    }

    /// Returns what the program is told with `--database`.
    pub(crate) fn place(&self) -> PathBuf {
        self.path()
    }

    /// Runs a statement as another program does.
    pub(crate) fn execute(&self, statement: &str) {
        let file = rusqlite::Connection::open(self.path()).unwrap();
        file.busy_timeout(std::time::Duration::from_secs(5))
            .unwrap();
        file.execute_batch(statement).unwrap();
    }

    /// Opens the library in it. The first time, that creates it.
    pub(crate) fn open(&self, clock: Arc<dyn Clock>) -> Store {
        Store::open_with_clock(&self.path(), clock).unwrap()
    }
}

/// Opens a new store in a folder, on the day of the examples.
pub(crate) fn new_store(folder: &Path) -> Store {
    let clock = Arc::new(FixedClock(day(EXAMPLES_DAY)));
    Store::open_with_clock(&folder.join("library.db"), clock).unwrap()
}
