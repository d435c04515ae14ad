//! Locks that other instances see, and that end with this process.
//!
//! They belong to one connection. If the process is killed, the server ends its connections and
//! releases the locks. If only the connection breaks, it is opened again and takes the locks that it
//! had; what a call changes is safe meanwhile, because its own transaction takes a lock of its own.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use postgres::Config;

use super::client::Connection;
use super::{CONNECTION_TIMEOUT, may_pass, repeat};
use crate::store::error::{Error, Result};
use crate::store::keys::Lock;

/// Locks a name, which is another lock than that of a transaction of the same name: those have 0.
const LOCK_STATEMENT: &str = "SELECT pg_try_advisory_lock(hashtextextended(?1, 1))::int";

const UNLOCK_STATEMENT: &str = "SELECT pg_advisory_unlock(hashtextextended(?1, 1))::int";

pub(in crate::store) struct Locks(Mutex<Inner>);

struct Inner {
    connection: Connection,
    /// The names that are locked.
    names: HashSet<String>,
}

impl Locks {
    pub(super) fn new(config: Config) -> Self {
        Self(Mutex::new(Inner {
            connection: Connection::new(config),
            names: HashSet::new(),
        }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // No change leaves it incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lock for Locks {
    fn try_lock(&self, name: &str) -> Result<bool> {
        let end = Instant::now() + CONNECTION_TIMEOUT;
        repeat(may_pass, || {
            let mut inner = self.inner();
            // The threads that held the mutex before may have used up the time.
            if Instant::now() >= end {
                return Err(Error::Busy);
            }
            inner.try_lock(name)
        })
    }

    fn release(&self, name: &str) {
        let inner = &mut *self.inner();
        // If the connection is broken, the lock has ended with it. Only `try_lock` opens it again, because
        // the other locks must then be taken again.
        if inner.names.remove(name) && inner.connection.is_open() {
            let _ = inner.connection.number(UNLOCK_STATEMENT, name);
        }
    }
}

impl Inner {
    fn try_lock(&mut self, name: &str) -> Result<bool> {
        if !self.connection.is_open() {
            self.connection.open()?;
            for name in &self.names {
                // Another instance may have it now. Nothing can be done about that.
                self.connection.number(LOCK_STATEMENT, name)?;
            }
        }
        let is_locked = self.connection.number(LOCK_STATEMENT, name)? != 0;
        if is_locked {
            self.names.insert(name.to_owned());
        }
        Ok(is_locked)
    }
}
