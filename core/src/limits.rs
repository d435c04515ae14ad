//! How much a service takes on.

use std::time::Duration;

/// The limits of a service; what exceeds one is refused with its code, and the service goes on.
///
/// ```
/// use docent_core::{Cx, Fault, Procedure, Service};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1b")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .limits(|limits| limits.batch = 1)
///     .build()?;
/// let response = service.handle("[1, 2]").await.unwrap();
/// assert!(response.starts_with(br#"{"jsonrpc":"2.0","error":{"code":-32005,"#));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// The largest body, in bytes: -32003 above it. 2 MiB unless configured.
    pub body: usize,
    /// The largest answer, in bytes, of a call or a whole batch: -32004 above it. 16 MiB unless
    /// configured.
    pub response: usize,
    /// The most entries of a batch: -32005 above it. 1,000 unless configured.
    pub batch: usize,
    /// The most calls of one batch that run at the same time, and never more than a quarter of
    /// `calls`. While half of `calls` are running, a batch goes on with one at a time. 16 unless
    /// configured.
    pub batch_concurrency: usize,
    /// The time in which the calls of a batch have to begin: -32001 for those that have not, and none
    /// of them ever runs. Those that have begun have their own time. `timeout` unless configured; that
    /// of a single procedure does not matter here.
    pub batch_timeout: Option<Duration>,
    /// The most brackets open at once in a body, counted from its outermost: -32700 above it. 128
    /// unless configured.
    pub nesting: usize,
    /// The time a procedure has, unless it declares its own: -32001 after it. 30 s unless
    /// configured.
    pub timeout: Duration,
    /// The most calls that run at the same time: -32002 above it. 1,024 unless configured.
    pub calls: usize,
    /// The longest text, in characters, that is matched against a pattern: -32602 above it. 65,536
    /// unless configured. A description with patterns says so in `$patternText`.
    pub pattern_text: usize,
}

impl Limits {
    /// The time of a batch: what is configured, and otherwise that of a procedure.
    pub fn time_of_batch(&self) -> Duration {
        self.batch_timeout.unwrap_or(self.timeout)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 2 << 20,
            response: 16 << 20,
            batch: 1_000,
            batch_concurrency: 16,
            batch_timeout: None,
            nesting: 128,
            timeout: Duration::from_secs(30),
            calls: 1_024,
            pattern_text: 65_536,
        }
    }
}
