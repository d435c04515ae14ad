//! How many calls run at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the calls that run, up to a limit. A call that would be one too many is refused rather
/// than queued: a queue only moves the moment at which memory runs out.
#[derive(Debug)]
pub(crate) struct Gauge {
    running: AtomicUsize,
    limit: usize,
}

/// The right to run one call; given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit(Arc<Gauge>);

impl Gauge {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            running: AtomicUsize::new(0),
            limit,
        })
    }

    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    pub(crate) fn is_full(&self) -> bool {
        self.running() >= self.limit
    }

    /// How many more calls may run before half of all places are taken.
    pub(crate) fn free_half(&self) -> usize {
        (self.limit / 2).saturating_sub(self.running())
    }

    #[inline]
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Permit> {
        // Counted first and taken back if it was one too many: one operation where all is well.
        if self.running.fetch_add(1, Ordering::Relaxed) < self.limit {
            Some(Permit(Arc::clone(self)))
        } else {
            self.running.fetch_sub(1, Ordering::Relaxed);
            None
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        // Whoever sees the count fall to zero also sees what the call did.
        self.0.running.fetch_sub(1, Ordering::Release);
    }
}
