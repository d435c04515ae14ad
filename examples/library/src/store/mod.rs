//! The library's storage: one SQLite file.
//!
//! **Nothing is lost.** A write is one immediate transaction, and it is on disk (`synchronous =
//! FULL` with a write-ahead log) before its function returns. If the process is killed at any
//! moment, every acknowledged write is complete, and every other one is either complete or absent.
//! That includes the first start, which creates and fills the database in a single transaction.
//!
//! **One writer, several readers.** SQLite allows one connection to write at a time. All writes of
//! this process share one connection, because waiting for a mutex is fair and cheap, and waiting
//! for the file's lock is neither. Readers see the last committed state and wait for nothing.
//! Another process may use the same file. It waits for the lock, and gets [`Error::Busy`] if that
//! takes too long.
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

/// The library's storage. Share it behind an `Arc`.
pub struct Store {
    pool: pool::Pool,
    clock: Arc<dyn Clock>,
}

impl Store {
    /// Opens the library in the file `path` with the system clock.
    ///
    /// Creates a missing file and fills it with the starting catalogue. Upgrades a file from an
    /// older version.
    pub fn open(path: &Path) -> std::result::Result<Self, OpenError> {
        Self::open_with_clock(path, Arc::new(SystemClock))
    }

    /// Opens the library in the file `path` with the given clock.
    pub fn open_with_clock(
        path: &Path,
        clock: Arc<dyn Clock>,
    ) -> std::result::Result<Self, OpenError> {
        let pool =
            pool::Pool::open(path, clock.today()).map_err(|kind| OpenError::new(path, kind))?;
        Ok(Self { pool, clock })
    }

    /// Returns today's date from the store's clock.
    pub fn today(&self) -> Date {
        self.clock.today()
    }

    /// Runs `work` on a snapshot of the database. All its statements see the same state.
    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut reader = self.pool.reader();
        work(&reader.transaction()?)
    }

    /// Runs `work` in a transaction that is committed if `work` succeeds, and rolled back if it
    /// fails.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut writer = self.pool.writer();
        // A deferred transaction that reads before it writes can fail halfway if another process
        // writes in between. An immediate one waits for its turn at the start.
        let transaction =
            writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}
