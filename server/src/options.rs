//! What can be configured about the transport.

use std::time::Duration;

/// How a service is put on HTTP. The limits that are not HTTP's are the service's own
/// ([`Limits`](crate::Limits)).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The time in which a body has to arrive: 408 after it. 30 s unless configured.
    pub body_timeout: Duration,
    /// How much of a body that is too large is read after all, so that an honest client sees the
    /// answer, in bytes. 8 MiB unless configured.
    pub drain_bytes: usize,
    /// How long such a body is read. 2 s unless configured.
    pub drain_time: Duration,
    /// What `Retry-After` says when there are too many calls. 1 s unless configured.
    pub retry_after: Duration,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            body_timeout: Duration::from_secs(30),
            drain_bytes: 8 << 20,
            drain_time: Duration::from_secs(2),
            retry_after: Duration::from_secs(1),
        }
    }
}
