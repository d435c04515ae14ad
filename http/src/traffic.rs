//! Counts the exchanges that a service has in progress, and the room that their bytes take.
//!
//! A shutdown waits for the exchanges, and the bytes that are stored for slow callers have a common
//! limit. What takes room and when is decided in [`waiting`](crate::waiting).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::options::HttpOptions;

/// The exchanges of one service that have not ended, and the bytes that are buffered for its callers.
#[derive(Debug)]
pub(crate) struct Traffic {
    exchanges: AtomicUsize,
    /// The room that is left, in bytes. The semaphore is fair: once a response waits, all room that is
    /// given back goes to it.
    free: Arc<Semaphore>,
    all: usize,
    write_timeout: Duration,
}

/// Room that is taken until this is dropped. The default is none.
#[derive(Debug, Default)]
pub struct Room {
    _permit: Option<OwnedSemaphorePermit>,
}

/// An exchange in progress, from the arrival of the request to the last piece of the response.
#[derive(Debug)]
pub struct Exchange(Arc<Traffic>);

impl Traffic {
    /// Creates the state of a service with these options.
    pub(crate) fn new(options: &HttpOptions) -> Arc<Self> {
        let all = options.max_buffered_bytes.clamp(1, Semaphore::MAX_PERMITS);
        Arc::new(Self {
            exchanges: AtomicUsize::new(0),
            free: Arc::new(Semaphore::new(all)),
            all,
            write_timeout: options.write_timeout,
        })
    }

    /// Begins an exchange. It ends when the value is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> Exchange {
        // A shutdown is announced before requests are counted, and a request is counted before it
        // checks for a shutdown: one of them always sees the other.
        self.exchanges.fetch_add(1, Ordering::SeqCst);
        Exchange(Arc::clone(self))
    }

    /// Returns how many exchanges have not ended.
    pub(crate) fn exchanges(&self) -> usize {
        self.exchanges.load(Ordering::SeqCst)
    }

    /// Returns the number of bytes that are left of the room.
    pub(crate) fn free(&self) -> usize {
        self.free.available_permits()
    }

    /// Takes room of this size, if it is free and nothing waits for it.
    pub(crate) fn try_take(&self, size: usize) -> Option<Room> {
        let permits = u32::try_from(size).ok()?;
        let taken = Arc::clone(&self.free).try_acquire_many_owned(permits);
        taken.ok().map(|permit| Room {
            _permit: Some(permit),
        })
    }

    /// Waits for room of this size. A request for more than all room gets all of it.
    pub(crate) async fn take(&self, size: usize) -> Room {
        let taken = Arc::clone(&self.free)
            .acquire_many_owned(u32::try_from(size.min(self.all)).unwrap_or(u32::MAX))
            .await;
        // The semaphore is never closed.
        Room {
            _permit: taken.ok(),
        }
    }
}

impl Exchange {
    /// Waits for room for bytes that are stored for the caller, in the order of asking. More bytes than there may be at
    /// all get all room.
    pub async fn take_room(&self, bytes: usize) -> Room {
        self.0.take(bytes).await
    }

    /// Returns the time in which the caller has to read some of the response.
    pub(crate) fn write_timeout(&self) -> Duration {
        self.0.write_timeout
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.exchanges.fetch_sub(1, Ordering::SeqCst);
    }
}
