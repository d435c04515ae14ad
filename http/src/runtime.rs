//! The implementation of [`Runtime`] with tokio.
//!
//! It is the only place at which calls meet tokio. `docent-core` works with any other runtime as well.

use std::time::{Duration, Instant};

use docent_core::{BoxFuture, Runtime};

use crate::stderr;

/// Runs remaining work, blocking handlers and timeouts on the tokio runtime of the current thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioRuntime;

impl Runtime for TokioRuntime {
    fn spawn(&self, task: BoxFuture<()>) {
        match tokio::runtime::Handle::try_current() {
            Ok(handle) => drop(handle.spawn(task)),
            Err(error) => {
                let what = "a running call was lost: there is no runtime";
                tracing::error!(%error, "{what}");
                self.report(what);
            }
        }
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        match tokio::runtime::Handle::try_current() {
            Ok(handle) => drop(handle.spawn_blocking(work)),
            // Outside a runtime, the caller can wait in place.
            Err(_) => work(),
        }
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        match tokio::runtime::Handle::try_current() {
            Ok(_) => Box::pin(tokio::time::sleep(duration)),
            // Outside a runtime, no clock can wake a call.
            Err(error) => {
                let what = "a call has no time limit: there is no runtime";
                tracing::error!(%error, "{what}");
                self.report(what);
                Box::pin(std::future::pending())
            }
        }
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    /// Writes the line to stderr, at most 10 lines a second, and then how many were left out.
    fn report(&self, line: &str) {
        stderr::error(line);
    }
}
