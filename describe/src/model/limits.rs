//! The limits on calls of a procedure, and the time for which its results may be reused.
//!
//! They inform callers. `docent-core` enforces limits, and `docent-http` turns a policy
//! into header fields.

use std::time::Duration;

/// The limits on calls of a procedure. A call over a limit is rejected before it runs. There is none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcedureLimits {
    /// The maximum number of calls that run at the same time.
    pub concurrent: Option<u64>,
    /// The maximum rate at which each caller may call.
    pub rate: Option<RateLimit>,
}

/// The time for which a result may be reused. By default, a cache revalidates it each time and keeps it for one caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachePolicy {
    /// The time for which caches may use a result without revalidating it.
    pub max_age: Duration,
    /// True if a cache may give a result to other callers too.
    pub shared: bool,
}

/// The maximum rate at which a procedure may be called. The default is one call a second for each caller.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RateLimit {
    /// The number of calls that are allowed in each period.
    pub calls: u64,
    /// The length of the period.
    pub per: Duration,
    /// The calls that are counted together.
    pub by: RateKey,
}

impl RateLimit {
    /// Creates a limit of this many calls in each period.
    pub fn new(calls: u64, per: Duration, by: RateKey) -> Self {
        Self { calls, per, by }
    }
}

impl Default for RateLimit {
    fn default() -> Self {
        Self::new(1, Duration::from_secs(1), RateKey::Caller)
    }
}

named_variants! {
    /// The calls that a rate limit counts together. These are all that the format has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RateKey {
        /// The calls of an authenticated caller. If callers may be anonymous, their calls are counted by
        /// address.
        Caller = "caller",
        /// The calls from one address.
        Peer = "peer",
    }
}
