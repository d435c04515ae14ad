//! What the middle borrows from the outside: a place to run things, and a clock.

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::time::{Duration, Instant};

/// A boxed future that can move between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where a service runs what cannot run inside the call's own future.
///
/// `docent-core` knows no runtime of its own. A service that was given none runs blocking handlers
/// in place, knows no time limits, and loses a call's work when its future is dropped; a transport
/// gives it one.
pub trait Runtime: Send + Sync + 'static {
    /// Runs `task` to its end, whoever waits for it.
    fn spawn(&self, task: BoxFuture<()>);

    /// Runs `work` on a thread that may block.
    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>);

    /// A future that is ready after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<()>;

    /// The present moment.
    fn now(&self) -> Instant;

    /// Where the ids of a service's incidents begin: those that stand in the log beside the cause of
    /// an Internal error, and in the error's data. Asked once for each service, at its first
    /// incident, and best another number each time; unpredictable unless implemented.
    fn seed(&self) -> u64 {
        unpredictable()
    }
}

/// A number that is another each time, in each process. The standard library has such numbers for its
/// hash tables.
pub(crate) fn unpredictable() -> u64 {
    RandomState::new().hash_one(0_u8)
}
