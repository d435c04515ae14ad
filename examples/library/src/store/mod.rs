//! The library's memory: one SQLite file.
//!
//! **Nothing is lost.** A write is one immediate transaction, and it is on the disk (`synchronous =
//! FULL` on a write-ahead log) before its function returns. Killing the process at any moment
//! leaves every acknowledged write whole and every other one either whole or absent; that holds for
//! the first start, too, which creates and fills the database in a single transaction.
//!
//! **One writer, several readers.** SQLite lets one connection write at a time. Waiting for a turn
//! in a mutex is fair and cheap, waiting for the file's lock is neither, so all writes of this
//! process share one connection. Readers see the last committed state and wait for nobody. Another
//! process may use the same file; it waits for the lock, and gets [`Error::Busy`] when that takes
//! too long.
//!
//! Every function here blocks.

mod authors;
mod books;
mod columns;
mod connection;
mod error;
mod filter;
mod find;
mod fold;
mod loans;
mod members;
mod once;
mod pool;
mod schema;
mod seed;
mod stats;

use std::path::Path;
use std::sync::Arc;

use rusqlite::Transaction;

use crate::clock::{Clock, SystemClock};
use crate::model::Date;

pub use error::{Error, OpenError, OpenErrorKind, Result};

/// The library's memory. Share it behind an `Arc`.
pub struct Store {
    pool: pool::Pool,
    clock: Arc<dyn Clock>,
}

impl Store {
    /// Opens the library in the file `path`, by the system's clock.
    ///
    /// A file that is not there is created and filled with the starting catalogue; one that an
    /// older version wrote is brought up to date.
    pub fn open(path: &Path) -> std::result::Result<Self, OpenError> {
        Self::open_with_clock(path, Arc::new(SystemClock))
    }

    /// Opens the library in the file `path`, by the given clock.
    pub fn open_with_clock(
        path: &Path,
        clock: Arc<dyn Clock>,
    ) -> std::result::Result<Self, OpenError> {
        let pool =
            pool::Pool::open(path, clock.today()).map_err(|kind| OpenError::new(path, kind))?;
        Ok(Self { pool, clock })
    }

    /// Today's date, by the store's clock.
    pub fn today(&self) -> Date {
        self.clock.today()
    }

    /// Runs `work` on a snapshot of the database: all its statements see the same state.
    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut reader = self.pool.reader();
        work(&reader.transaction()?)
    }

    /// Runs `work` and commits what it did, or nothing of it when it answers with an error.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut writer = self.pool.writer();
        // A deferred transaction that reads first and writes later can fail halfway when another
        // process writes in between; an immediate one waits for its turn at the start.
        let transaction =
            writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}
