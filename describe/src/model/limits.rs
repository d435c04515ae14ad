use std::time::Duration;

/// How many calls of a procedure are accepted. A call over a limit is rejected before it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcedureLimits {
    /// How many calls may run at the same time.
    pub concurrent: Option<u64>,
    /// How often each caller may call.
    pub rate: Option<RateLimit>,
}

/// How long a result may be used again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CachePolicy {
    /// For how long caches may use a result without asking whether it is still the same.
    pub max_age: Duration,
    /// Whether a cache may give a result to other callers too.
    pub shared: bool,
}

/// How often a procedure may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// How many calls each may make in the time.
    pub calls: u64,
    /// The time.
    pub per: Duration,
    /// Whose calls are counted together.
    pub by: RateKey,
}

/// Whose calls a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateKey {
    /// Those of an authenticated caller. If callers need not be known, the calls of unknown callers
    /// are counted by address.
    Caller,
    /// Those from one address.
    Peer,
}

impl RateKey {
    /// Returns the word for it in the format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Caller => "caller",
            Self::Peer => "peer",
        }
    }
}
