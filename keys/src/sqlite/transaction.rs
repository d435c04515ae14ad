//! Transactions on the store's one connection, and on connections of handlers.

use std::cell::RefCell;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use docent_core::{BegunTransaction, KeptOutcome, KeyedCall, TransactionStore};
use rusqlite::Connection;

use super::{BUSY_TIMEOUT, Shared, SqliteKeys, keep_in};
use crate::error::Error;

/// A store's one connection, which one thread at a time may take: a pool of one.
pub(super) struct ConnectionPool {
    /// `None` while the connection is taken.
    idle: Mutex<Option<Connection>>,
    returned: Condvar,
}

impl ConnectionPool {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            idle: Mutex::new(Some(connection)),
            returned: Condvar::new(),
        }
    }
}

/// The store's connection, taken. Dropping it rolls back what was not committed, and returns the connection.
pub(super) struct Writer {
    shared: Arc<Shared>,
    /// `None` only while this is dropped.
    connection: Option<Connection>,
}

impl Writer {
    /// Waits for the connection.
    pub(super) fn take(shared: Arc<Shared>) -> Result<Self, Error> {
        let ConnectionPool { idle, returned } = &shared.pool;
        let idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut idle, _) = returned
            .wait_timeout_while(idle, BUSY_TIMEOUT, |idle| idle.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let Some(connection) = idle.take() else {
            return Err(Error::Unavailable("another transaction takes long".into()));
        };
        drop(idle);
        Ok(Self {
            shared,
            connection: Some(connection),
        })
    }
}

impl Deref for Writer {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("taken in `drop` alone")
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.is_autocommit() {
            // It fails only if SQLite has rolled it back already.
            let _ = self.execute_batch("ROLLBACK");
        }
        let ConnectionPool { idle, returned } = &self.shared.pool;
        *idle.lock().unwrap_or_else(PoisonError::into_inner) = self.connection.take();
        returned.notify_one();
    }
}

/// A transaction of a [`SqliteKeys`], which is a [`Connection`] for its handler. Dropping it rolls it back.
pub struct SqliteTransaction(Writer);

impl SqliteTransaction {
    pub(super) fn begin(shared: Arc<Shared>) -> Result<Self, Error> {
        let writer = Writer::take(shared)?;
        writer.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self(writer))
    }

    pub(super) fn commit(self) -> Result<(), Error> {
        Ok(self.execute_batch("COMMIT")?)
    }
}

impl Deref for SqliteTransaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl fmt::Debug for SqliteTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteTransaction").finish_non_exhaustive()
    }
}

/// A store for one call, with a transaction of its handler. See [`SqliteKeys::within`].
#[derive(Debug)]
pub struct WithinSqlite<'t> {
    keys: SqliteKeys,
    /// `None` once it has begun.
    transaction: RefCell<Option<rusqlite::Transaction<'t>>>,
}

impl<'t> WithinSqlite<'t> {
    pub(super) fn new(keys: SqliteKeys, transaction: rusqlite::Transaction<'t>) -> Self {
        Self {
            keys,
            transaction: RefCell::new(Some(transaction)),
        }
    }
}

impl<'t> TransactionStore for WithinSqlite<'t> {
    type Transaction = rusqlite::Transaction<'t>;
    type Error = Error;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<rusqlite::Transaction<'t>>, Error> {
        let Some(transaction) = self.transaction.take() else {
            return Err(Error::used_twice());
        };
        self.keys.claim_in(transaction, call)
    }

    async fn commit(
        &self,
        transaction: rusqlite::Transaction<'t>,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Error> {
        keep_in(&transaction, record)?;
        Ok(transaction.commit()?)
    }
}
