//! One connection that writes and a few that read.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::error::OpenErrorKind;
use super::{connection, schema};
use crate::model::Date;

/// How many connections read at the same time.
///
/// A query takes well under a millisecond of one core; more readers than cores only wait elsewhere.
const READERS: usize = 4;

pub(super) struct Pool {
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    returned: Condvar,
}

impl Pool {
    /// Opens the file, creating, filling or updating it where necessary.
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

    /// The connection that writes, as soon as it is free.
    pub(super) fn writer(&self) -> MutexGuard<'_, Connection> {
        // A panic that poisoned the mutex dropped its transaction on the way out, which rolled it
        // back: the connection is as good as before.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that reads, as soon as one is free. Dropping it gives it back.
    pub(super) fn reader(&self) -> Reader<'_> {
        // Nothing panics while it holds this mutex; even so, a list of connections has no state
        // that could be half-changed.
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

/// A reading connection on loan from the pool.
pub(super) struct Reader<'a> {
    pool: &'a Pool,
    /// `None` only while it is being dropped.
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
