//! The exchanges that a service has in progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::waiting::Waiting;

/// The exchanges of one service that have not ended, and what is buffered for its callers.
#[derive(Debug)]
pub(crate) struct Traffic {
    exchanges: AtomicUsize,
    waiting: Arc<Waiting>,
}

/// An exchange in progress, from the call to the last piece of the response.
#[derive(Debug)]
pub(crate) struct Ticket(Arc<Traffic>);

impl Traffic {
    /// Creates the state of a service that may buffer `limit` bytes for its callers.
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            exchanges: AtomicUsize::new(0),
            waiting: Waiting::new(limit),
        })
    }

    pub(crate) fn begin(self: &Arc<Self>) -> Ticket {
        // A shutdown is announced before requests are counted, and a request is counted before it
        // checks for a shutdown: one of them always sees the other.
        self.exchanges.fetch_add(1, Ordering::SeqCst);
        Ticket(Arc::clone(self))
    }

    /// Returns how many exchanges have not ended.
    pub(crate) fn exchanges(&self) -> usize {
        self.exchanges.load(Ordering::SeqCst)
    }

    pub(crate) fn waiting(&self) -> &Arc<Waiting> {
        &self.waiting
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.exchanges.fetch_sub(1, Ordering::SeqCst);
    }
}
