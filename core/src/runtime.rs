//! The abilities that a service needs from a transport: running tasks, and a clock.
//!
//! This crate depends on no async runtime. Without a [`Runtime`], a service works, but it runs
//! blocking handlers in place and has no timeouts.

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::time::{Duration, Instant};

/// A boxed future that is `Send`.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Runs tasks outside of the future of a call, and provides the time.
///
/// Transports provide it, because `docent-core` has no async runtime. Without it, a service runs blocking
/// handlers in place, has no timeouts, and loses a call when its future is dropped.
pub trait Runtime: Send + Sync + 'static {
    /// Runs `task` to completion, even if nothing waits for it.
    fn spawn(&self, task: BoxFuture<()>);

    /// Runs `work` on a thread that may block.
    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>);

    /// Returns a future that completes after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<()>;

    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Reports an internal error if the log goes nowhere because no `tracing` subscriber is set.
    /// `line` is one line without control characters. The default does nothing. A server should write
    /// it to stderr, and limit how many lines it writes.
    fn report(&self, line: &str) {
        let _ = line;
    }

    /// Returns a number from which the service computes its incident IDs. They connect the log
    /// entry of an Internal error with the `data` that the caller gets. Called once per service, at
    /// its first incident; return a different number each time. The default is unpredictable.
    fn seed(&self) -> u64 {
        unpredictable()
    }
}

/// Returns a number that is different each time and in each process. It comes from the random keys
/// that the standard library generates for hash tables.
pub(crate) fn unpredictable() -> u64 {
    RandomState::new().hash_one(0_u8)
}
