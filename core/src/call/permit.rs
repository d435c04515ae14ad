//! The permit that lets a call run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::callee::Callee;
use super::gauge::Gauge;

/// A permit to run one call of a procedure. Dropping it releases it.
pub(crate) struct Permit {
    callee: Arc<Callee>,
    /// Set if the procedure's own gauge counts the call, too.
    has_place: AtomicBool,
}

impl Permit {
    /// Returns a permit, unless too many calls are running.
    #[inline]
    pub(crate) fn new(callee: &Arc<Callee>) -> Option<Self> {
        callee.gauge.enter().then(|| Self {
            callee: Arc::clone(callee),
            has_place: AtomicBool::new(false),
        })
    }

    /// Returns a permit for a procedure that does not exist.
    pub(super) fn for_tests() -> Self {
        let gauge = Arc::new(Gauge::new(usize::MAX));
        gauge.enter();
        Self {
            callee: Arc::new(Callee::for_tests(gauge)),
            has_place: AtomicBool::new(false),
        }
    }

    /// Returns the called procedure.
    #[inline]
    pub(super) fn callee(&self) -> &Arc<Callee> {
        &self.callee
    }

    /// Takes a place among the running calls of the procedure, from the procedure's own gauge.
    /// Called once.
    pub(super) fn take_place(&self, gauge: &Gauge) -> bool {
        let has_place = gauge.enter();
        self.has_place.store(has_place, Ordering::Relaxed);
        has_place
    }
}

impl Drop for Permit {
    #[inline]
    fn drop(&mut self) {
        self.callee.gauge.leave();
        if *self.has_place.get_mut()
            && let Some(limits) = &self.callee.limits
            && let Some(gauge) = &limits.gauge
        {
            gauge.leave();
        }
    }
}
