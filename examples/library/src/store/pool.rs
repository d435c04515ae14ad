//! One connection for writing and a few for reading.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::error::OpenErrorKind;
use super::{connection, schema};
use crate::model::Date;

/// The number of connections that can read at the same time.
///
/// A query takes well under a millisecond of one core, so more readers than cores would only wait
/// elsewhere.
const READERS: usize = 4;

pub(super) struct Pool {
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    returned: Condvar,
}

impl Pool {
    /// Opens the file, and creates, fills or upgrades it if necessary.
    pub(super) fn open(path: &Path, today: Date) -> Result<Self, OpenErrorKind> {
        let mut writer = connection::writer(path, schema::check)?;
        schema::prepare(&mut writer, today)?;
        let readers = (0..READERS)
            .map(|_| connection::reader(path))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            writer: Mutex::new(writer),
            readers: Mutex::new(readers),
            returned: Condvar::new(),
        })
    }

    /// Waits for the connection that writes.
    pub(super) fn writer(&self) -> MutexGuard<'_, Connection> {
        // A panic that poisoned the mutex also dropped its transaction, which rolled it back. The
        // connection is as good as before.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a connection that reads. Dropping it returns it to the pool.
    pub(super) fn reader(&self) -> Reader<'_> {
        // Nothing panics while it holds this mutex, and a list of connections cannot be left half
        // changed.
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(connection) = readers.pop() {
                return Reader {
                    pool: self,
                    connection: Some(connection),
                };
            }
            readers = self
                .returned
                .wait(readers)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A read connection borrowed from the pool.
pub(super) struct Reader<'a> {
    pool: &'a Pool,
    /// `None` only while the reader is dropped.
    connection: Option<Connection>,
}

impl Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("taken in `drop` alone")
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("taken in `drop` alone")
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let mut readers = self
            .pool
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        readers.extend(self.connection.take());
        self.pool.returned.notify_one();
    }
}
