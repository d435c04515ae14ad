//! The limits of a service.
//!
//! They bound what one request, one batch, one connection and all calls together may take. Limits on bytes that
//! wait for slow callers over HTTP are those of a transport.

use std::time::Duration;

/// The limits of a service. A request over a limit is rejected with the error code given here.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1b")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .limits(|limits| limits.max_batch_entries = 1)
///     .build()?;
/// let response = service.handle("[1, 2]").await.unwrap();
/// assert!(response.starts_with(br#"{"jsonrpc":"2.0","error":{"code":-32005,"#));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of a body, in bytes: -32003 above it. Default: 2 MiB.
    pub max_body_bytes: usize,
    /// The maximum size of a response to a call or a whole batch, in bytes: -32004 above it.
    /// Default: 16 MiB.
    pub max_response_bytes: usize,
    /// The maximum number of entries in a batch: -32005 above it. Default: 1,000.
    pub max_batch_entries: usize,
    /// The maximum number of calls of one batch that run at the same time. It is at most a quarter of
    /// `max_concurrent_calls`, and 1 while half of `max_concurrent_calls` are running. Default: 16.
    pub max_batch_concurrency: usize,
    /// The time within which the calls of a batch must start. Later ones fail with -32001 and never
    /// run; calls that have started have their own timeout. Default: `None`, which stands for
    /// [`timeout`](Self::timeout), even if procedures set their own.
    pub batch_timeout: Option<Duration>,
    /// The maximum nesting of brackets in a body: -32700 above it. Default: 128.
    pub max_depth: usize,
    /// The timeout of a procedure that does not set its own: -32001 after it. Default: 30 s.
    pub timeout: Duration,
    /// The maximum number of calls that run at the same time: -32002 above it. Default: 1,024.
    pub max_concurrent_calls: usize,
    /// The maximum number of calls of one connection that run at the same time: -32002 above it. Default: 64.
    pub max_connection_calls: usize,
    /// The maximum number of subscriptions of one connection: -32012 above it. Default: 100.
    pub max_connection_subscriptions: usize,
    /// The maximum number of subscriptions of all connections: -32012 above it. Default: 10,000.
    pub max_subscriptions: usize,
    /// The maximum number of WebSockets and of responses with events (SSE) that are open at the same time: above it, a
    /// WebSocket gets -32002 and a response with events -32012. Default: 1,024.
    pub max_streams: usize,
    /// The number of bytes that wait to be written on one connection, from which on nothing more is read and no items
    /// are produced. One item and the responses to running calls may exceed it, so with 0 they wait one at a time.
    /// Default: 1 MiB.
    pub max_waiting_bytes: usize,
}

impl Limits {
    /// Returns the timeout of a batch: `batch_timeout`, or else `timeout`.
    pub fn effective_batch_timeout(&self) -> Duration {
        self.batch_timeout.unwrap_or(self.timeout)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 2 << 20,
            max_response_bytes: 16 << 20,
            max_batch_entries: 1_000,
            max_batch_concurrency: 16,
            batch_timeout: None,
            max_depth: 128,
            timeout: Duration::from_secs(30),
            max_concurrent_calls: 1_024,
            max_connection_calls: 64,
            max_connection_subscriptions: 100,
            max_subscriptions: 10_000,
            max_streams: 1_024,
            max_waiting_bytes: 1 << 20,
        }
    }
}
