//! The limits that a procedure sets for itself, in addition to those of its service.

use super::gauge::Gauge;
#[cfg(feature = "rate-limits")]
use super::rate::Rate;

/// The limits on the calls of one procedure.
pub(crate) struct OwnLimits {
    /// `None` if only the service limits the number of calls that run at the same time.
    pub(crate) gauge: Option<Gauge>,
    #[cfg(feature = "rate-limits")]
    pub(crate) rate: Option<Rate>,
}

impl OwnLimits {
    /// Returns whether any limit is set.
    pub(crate) fn is_some(&self) -> bool {
        #[cfg(feature = "rate-limits")]
        if self.rate.is_some() {
            return true;
        }
        self.gauge.is_some()
    }
}
