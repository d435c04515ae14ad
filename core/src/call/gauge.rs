//! Limits concurrent calls.
//!
//! A count is all that there is: no queue, and no fairness between callers. Rates for each caller
//! are in [`rates`](crate::rates).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts running calls, up to a limit. A call above the limit is rejected and not queued: a queue
/// would only delay the moment at which memory runs out.
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

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn is_full(&self) -> bool {
        self.running() >= self.limit
    }

    /// Returns how many more calls may run before half of the limit is reached.
    pub(crate) fn free_half(&self) -> usize {
        (self.limit / 2).saturating_sub(self.running())
    }

    /// Counts one more call, if the limit allows it.
    #[inline]
    pub(super) fn enter(&self) -> bool {
        // Add first, and subtract if the limit was reached: this way, a successful call needs only
        // one operation.
        let entered = self.running.fetch_add(1, Ordering::Relaxed) < self.limit;
        if !entered {
            self.running.fetch_sub(1, Ordering::Relaxed);
        }
        entered
    }

    /// Counts one call less.
    #[inline]
    pub(super) fn leave(&self) {
        // A thread that sees the count fall to zero also sees the effects of the calls.
        self.running.fetch_sub(1, Ordering::Release);
    }
}

/// A permit to be one of the calls that run at the same time. Dropping it releases it.
#[derive(Debug)]
pub struct Permit(Arc<Gauge>);

impl Permit {
    /// Takes a permit; `None` if the limit is reached.
    pub(crate) fn take(gauge: &Arc<Gauge>) -> Option<Self> {
        gauge.enter().then(|| Self(Arc::clone(gauge)))
    }

    /// Takes over the permit of a call that has just left, without regard to the limit.
    pub(crate) fn new(gauge: &Arc<Gauge>) -> Self {
        gauge.running.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(gauge))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.leave();
    }
}
