//! The right to run one call.

use std::sync::Arc;

use super::callee::Callee;

/// The right to run one call of a procedure; released when dropped.
pub(crate) struct Permit(Arc<Callee>);

impl Permit {
    /// The right to run one more call, unless it would be one too many.
    #[inline]
    pub(crate) fn new(callee: &Arc<Callee>) -> Option<Self> {
        callee.gauge.enter().then(|| Self(Arc::clone(callee)))
    }

    /// The called procedure.
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
