//! A few connections that many threads share.
//!
//! A thread that finds none free waits for one, so nothing fails because others are busy.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, PoisonError};

/// A fixed number of connections.
pub(super) struct Pool<C> {
    idle: Mutex<Vec<C>>,
    returned: Condvar,
}

impl<C> Pool<C> {
    pub(super) fn new(connections: Vec<C>) -> Self {
        Self {
            idle: Mutex::new(connections),
            returned: Condvar::new(),
        }
    }

    /// Waits for a connection. Dropping it returns it to the pool.
    pub(super) fn take(&self) -> Borrowed<'_, C> {
        // Nothing panics while it holds this mutex, and a list of connections cannot be left half
        // changed.
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(connection) = idle.pop() {
                return Borrowed {
                    pool: self,
                    connection: Some(connection),
                };
            }
            idle = self
                .returned
                .wait(idle)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A connection borrowed from a pool.
pub(super) struct Borrowed<'a, C> {
    pool: &'a Pool<C>,
    /// `None` only while this is dropped.
    connection: Option<C>,
}

impl<C> Deref for Borrowed<'_, C> {
    type Target = C;

    fn deref(&self) -> &C {
        self.connection.as_ref().expect("taken in `drop` alone")
    }
}

impl<C> DerefMut for Borrowed<'_, C> {
    fn deref_mut(&mut self) -> &mut C {
        self.connection.as_mut().expect("taken in `drop` alone")
    }
}

impl<C> Drop for Borrowed<'_, C> {
    fn drop(&mut self) {
        let mut idle = self
            .pool
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.connection.take());
        self.pool.returned.notify_one();
    }
}
