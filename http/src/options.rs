//! The options of the HTTP transport.
//!
//! They are about bodies, responses and hosts. Limits on calls, which hold for every carrier, are in
//! [`Limits`](docent_core::Limits).

use std::time::Duration;

use crate::TrustedProxy;

/// The options of the HTTP transport. For limits that do not depend on HTTP, see
/// [`Limits`](docent_core::Limits).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The time for a body to arrive, after which the response is 408. A message over a WebSocket has the same time, after
    /// which the connection closes. Default: 30 s.
    pub body_timeout: Duration,
    /// The most bytes that are read of a body that is too large, so that the client gets to read the response.
    /// Default: 8 MiB.
    pub max_drain_bytes: usize,
    /// The most time for reading such a body. Default: 2 s.
    pub drain_time: Duration,
    /// True to accept compressed bodies (`Content-Encoding: gzip` or `deflate`).
    /// `Limits::max_body_bytes` applies to the decompressed size. Default: false, and they get 415.
    pub decompress: bool,
    /// The most bytes that may be stored for callers of one service: bodies and messages that have arrived in part, and
    /// responses and items of more than 32 KiB that are being sent. At this limit, no call starts (-32002, 503), and
    /// responses wait for room. A single response over the limit is sent when no other one is. Default: 256
    /// MiB.
    pub max_buffered_bytes: usize,
    /// The time in which a caller must read 256 KiB of a response, or the rest of it. If it fails to do so
    /// twice in a row, the response is dropped. A response that waits longer than this for room is replaced: by
    /// 503 if it is that of an idempotent call, and otherwise by -32004 with `"ran": true`. Zero means no
    /// limit. Default: 30 s.
    ///
    /// `Server` also closes connections whose peer reads nothing for twice this long.
    pub write_timeout: Duration,
    /// The value of `Retry-After` when there are too many calls. Default: 1 s.
    pub retry_after: Duration,
    /// The hosts that requests may name, without a port; others get 421. This protects services on
    /// a local machine or network against DNS rebinding. `/health` is exempt, because load
    /// balancers use any name.
    ///
    /// Default: all hosts. But at a loopback address, a `Server` without trusted proxies serves only
    /// `localhost`, `127.0.0.1`, `[::1]` and the hosts of its services' public URLs, and requests that name no
    /// host, which no browser sends. Each listener is judged by its own address.
    ///
    /// Without a public URL, pages, `llms.txt` and OpenRPC documents name the host of the request; over a Unix
    /// socket, only if it is in this list or that of a public URL.
    pub allowed_hosts: Option<Vec<String>>,
    /// The origins of web pages that may send messages to `/mcp`, such as `https://example.com`, besides
    /// that of the service's public URL. Messages from other pages get 403, so that no page can use a
    /// visitor's browser to reach services on a local machine or network. Default: none.
    #[cfg(feature = "mcp")]
    pub mcp_origins: Vec<String>,
    /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. Rate limits then count calls by
    /// the client's address in the former, and the server's URLs in pages have the scheme in the latter.
    /// Default: none, and the fields are ignored.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The origins that [`Routes::cors`](crate::Routes::cors) lists.
    pub(crate) cors_origins: Vec<String>,
    /// The hosts of the public URLs of all services that the host serves.
    pub(crate) public_hosts: Vec<String>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            body_timeout: Duration::from_secs(30),
            max_drain_bytes: 8 << 20,
            drain_time: Duration::from_secs(2),
            decompress: false,
            max_buffered_bytes: 256 << 20,
            write_timeout: Duration::from_secs(30),
            retry_after: Duration::from_secs(1),
            allowed_hosts: None,
            #[cfg(feature = "mcp")]
            mcp_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            public_hosts: Vec::new(),
        }
    }
}

/// The longest duration that is passed on. It is added to the current time, and a later time cannot
/// always be represented; no one waits longer anyway.
pub const MAX_DURATION: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// The largest number of seconds in a header field. Caches treat larger ones as this (RFC 9111,
/// section 1.2.2).
const MAX_SECONDS: u64 = 1 << 31;

/// Returns a time in whole seconds, as header fields require.
pub(crate) fn seconds(time: Duration) -> u64 {
    time.as_secs().min(MAX_SECONDS)
}

impl HttpOptions {
    /// Reduces times to those that can be added to the current time.
    pub(crate) fn bound_times(&mut self) {
        // Each option is named, so that a new one that is a time is not forgotten.
        let Self {
            body_timeout,
            drain_time,
            write_timeout,
            retry_after,
            max_drain_bytes: _,
            decompress: _,
            max_buffered_bytes: _,
            allowed_hosts: _,
            #[cfg(feature = "mcp")]
                mcp_origins: _,
            trusted_proxies: _,
            cors_origins: _,
            public_hosts: _,
        } = self;
        if write_timeout.is_zero() {
            *write_timeout = MAX_DURATION;
        }
        for time in [body_timeout, drain_time, write_timeout, retry_after] {
            *time = (*time).min(MAX_DURATION);
        }
    }

    /// Returns the value of `Retry-After` in whole seconds: the configured time, rounded up, and at least 1.
    pub fn retry_after_seconds(&self) -> u64 {
        let rest = u64::from(self.retry_after.subsec_nanos() > 0);
        self.retry_after
            .as_secs()
            .saturating_add(rest)
            .clamp(1, MAX_SECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_never_earlier_than_configured_and_a_number_that_callers_can_read() {
        for (configured, said) in [
            (Duration::ZERO, 1),
            (Duration::from_millis(1), 1),
            (Duration::from_secs(1), 1),
            (Duration::from_millis(1_500), 2),
            (Duration::from_secs(90), 90),
            (Duration::MAX, MAX_SECONDS),
        ] {
            let options = HttpOptions {
                retry_after: configured,
                ..HttpOptions::default()
            };
            assert_eq!(options.retry_after_seconds(), said, "{configured:?}");
        }
    }
}
