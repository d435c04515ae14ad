//! How many calls run at once.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the calls that run, up to a limit. A call that would be one too many is refused rather
/// than queued: a queue only moves the moment at which memory runs out.
#[derive(Debug)]
pub(crate) struct Gauge {
    running: AtomicUsize,
    limit: usize,
}

impl Gauge {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            running: AtomicUsize::new(0),
            limit,
        }
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

    /// Takes a place, if there is one.
    #[inline]
    pub(super) fn enter(&self) -> bool {
        // Counted first and taken back if it was one too many: one operation where all is well.
        let entered = self.running.fetch_add(1, Ordering::Relaxed) < self.limit;
        if !entered {
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
        entered
    }

    /// Gives a place back.
    #[inline]
    pub(super) fn leave(&self) {
        // When the count is seen to fall to zero, the effects of the call are visible too.
        self.running.fetch_sub(1, Ordering::Release);
    }
}
