//! The exchanges that a service has in progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::options::HttpOptions;
use crate::waiting::Waiting;

/// The exchanges of one service that have not ended, and the bytes that are buffered for its callers.
#[derive(Debug)]
pub struct Traffic {
    exchanges: AtomicUsize,
    waiting: Arc<Waiting>,
    write_timeout: Duration,
}

/// An exchange in progress, from the call to the last piece of the response.
#[derive(Debug)]
pub struct Ticket(Arc<Traffic>);

impl Traffic {
    /// Creates the state of a service with these options.
    pub fn new(options: &HttpOptions) -> Arc<Self> {
        Arc::new(Self {
            exchanges: AtomicUsize::new(0),
            waiting: Waiting::new(options.max_buffered_bytes),
            write_timeout: options.write_timeout,
        })
    }

    pub fn begin(self: &Arc<Self>) -> Ticket {
        // A shutdown is announced before requests are counted, and a request is counted before it
        // checks for a shutdown: one of them always sees the other.
        self.exchanges.fetch_add(1, Ordering::SeqCst);
        Ticket(Arc::clone(self))
    }

    /// Returns how many exchanges have not ended.
    pub fn exchanges(&self) -> usize {
        self.exchanges.load(Ordering::SeqCst)
    }

    pub fn waiting(&self) -> &Arc<Waiting> {
        &self.waiting
    }
}

impl Ticket {
    /// Returns the time in which the caller has to read some of the response.
    pub(crate) fn write_timeout(&self) -> Duration {
        self.0.write_timeout
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.exchanges.fetch_sub(1, Ordering::SeqCst);
    }
}
