//! A check of whether a service can do its work.
//!
//! Requests for `/health` must not burden a database, so a check runs at most once a second.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use docent_core::BoxFuture;
use futures_util::FutureExt;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The time limit of a check, and the time for which its outcome is kept, from its beginning.
const CHECK_PERIOD: Duration = Duration::from_secs(1);

/// A check that runs at most once a second, and whose outcome is shared.
#[derive(Clone)]
pub(crate) struct Readiness(Arc<Checks>);

struct Checks {
    check: Box<dyn Fn() -> BoxFuture<Result<(), String>> + Send + Sync>,
    /// The last check. Requests that arrive during a check wait for it here.
    last: Mutex<Option<CheckOutcome>>,
}

/// A check that has ended.
#[derive(Clone, Copy)]
struct CheckOutcome {
    began: Instant,
    ended: Instant,
    is_ready: bool,
}

impl Readiness {
    pub(crate) fn new<F, E>(check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display,
    {
        Self(Arc::new(Checks {
            check: Box::new(move || {
                let checked = check();
                async move { checked.await.map_err(|error| error.to_string()) }.boxed()
            }),
            last: Mutex::new(None),
        }))
    }

    /// Returns whether the service is ready. Requires a tokio runtime.
    pub(crate) async fn is_ready(&self) -> bool {
        // A task of its own, because the client may disconnect, and the check may panic.
        let checks = Arc::clone(&self.0);
        tokio::spawn(async move { checks.is_ready().await })
            .await
            .unwrap_or(false)
    }
}

impl Checks {
    async fn is_ready(&self) -> bool {
        let arrived = Instant::now();
        let mut last = self.last.lock().await;
        let began = Instant::now();
        if let Some(last) = *last
            && (last.ended >= arrived || began - last.began < CHECK_PERIOD)
        {
            return last.is_ready;
        }
        let checking = AssertUnwindSafe(async { (self.check)().await }).catch_unwind();
        let outcome = match timeout(CHECK_PERIOD, checking).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err("the check panicked".to_owned()),
            Err(_) => Err("the check took longer than 1 s".to_owned()),
        };
        let is_ready = outcome.is_ok();
        let was_ready = last.is_none_or(|last| last.is_ready);
        let ended = Instant::now();
        *last = Some(CheckOutcome {
            began,
            ended,
            is_ready,
        });
        match outcome {
            Err(reason) if was_ready => tracing::warn!(reason, "the service is not ready"),
            Ok(()) if !was_ready => tracing::info!("the service is ready again"),
            _ => {}
        }
        is_ready
    }
}

impl fmt::Debug for Readiness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readiness").finish_non_exhaustive()
    }
}
