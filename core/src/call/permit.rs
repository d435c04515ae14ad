//! The permit that lets a call run.

use std::sync::Arc;

use super::callee::Callee;
use super::gauge::Gauge;

/// A permit to run one call of a procedure. Dropping it releases it.
pub(crate) struct Permit(Arc<Callee>);

impl Permit {
    /// Returns a permit, unless too many calls are running.
    #[inline]
    pub(crate) fn new(callee: &Arc<Callee>) -> Option<Self> {
        callee.gauge.enter().then(|| Self(Arc::clone(callee)))
    }

    /// Returns a permit for a procedure that does not exist.
    pub(super) fn for_tests() -> Self {
        let gauge = Arc::new(Gauge::new(usize::MAX));
        gauge.enter();
        Self(Arc::new(Callee::for_tests(gauge)))
    }

    /// Returns the called procedure.
    #[inline]
    pub(super) fn callee(&self) -> &Arc<Callee> {
        &self.0
    }
}

impl Drop for Permit {
    #[inline]
    fn drop(&mut self) {
        self.0.gauge.leave();
    }
}
