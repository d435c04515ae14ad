//! The limits that a procedure sets for itself, beside those of its service.

use super::gauge::Gauge;
#[cfg(feature = "rate-limits")]
use super::rate::Rate;

/// How many calls a procedure accepts.
pub(crate) struct OwnLimits {
    /// `None` if only the service limits how many calls run at the same time.
    pub(crate) gauge: Option<Gauge>,
    #[cfg(feature = "rate-limits")]
    pub(crate) rate: Option<Rate>,
}

impl OwnLimits {
    /// Whether there is any limit.
    pub(crate) fn is_some(&self) -> bool {
        #[cfg(feature = "rate-limits")]
        if self.rate.is_some() {
            return true;
        }
        self.gauge.is_some()
    }
}
