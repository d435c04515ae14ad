//! The shutdown of a host, as requests and streams of events learn of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// The shutdown of a host. All clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shutdown {
    has_begun: Arc<AtomicBool>,
    begins: Arc<Notify>,
}

impl Shutdown {
    /// Begins the shutdown.
    pub(crate) fn begin(&self) {
        self.has_begun.store(true, Ordering::SeqCst);
        self.begins.notify_waiters();
    }

    /// Returns whether the shutdown has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::SeqCst)
    }

    /// Waits until the shutdown begins.
    pub(crate) fn begins(&self) -> impl Future<Output = ()> + Send + use<> {
        let shutdown = self.clone();
        // It hears of a shutdown from now on, so one that begins after the question is not missed.
        let begins = Arc::clone(&self.begins).notified_owned();
        async move {
            if !shutdown.has_begun() {
                begins.await;
            }
        }
    }
}
