//! A check of whether a service can do its work.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use docent_core::BoxFuture;
use futures_util::FutureExt;
use futures_util::future::Shared;
use tokio::time::timeout;

/// The time limit of a check, and the time for which its outcome is kept.
const SECOND: Duration = Duration::from_secs(1);

/// A check that runs at most once a second, and whose outcome is shared.
#[derive(Clone)]
pub(crate) struct Readiness(Arc<Checks>);

struct Checks {
    check: Box<dyn Fn() -> BoxFuture<Result<(), String>> + Send + Sync>,
    /// The last check, and when it began.
    last: Mutex<Option<(Instant, Outcome)>>,
    /// True if the last check failed. It makes a failure be logged once.
    failed: AtomicBool,
}

/// A future that resolves to whether the service is ready.
type Outcome = Shared<BoxFuture<bool>>;

impl Readiness {
    pub(crate) fn new<F, E>(check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display,
    {
        let check = move || {
            let checked = check();
            async move { checked.await.map_err(|error| error.to_string()) }.boxed()
        };
        Self(Arc::new(Checks {
            check: Box::new(check),
            last: Mutex::new(None),
            failed: AtomicBool::new(false),
        }))
    }

    /// Returns whether the service is ready. Requires a tokio runtime.
    pub(crate) async fn is_ready(&self) -> bool {
        self.outcome(Instant::now()).await
    }

    fn outcome(&self, now: Instant) -> Outcome {
        // No change leaves the state incomplete.
        let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            // A check that has not ended began less than a second ago.
            Some((begun, outcome)) if now.saturating_duration_since(*begun) < SECOND => {
                outcome.clone()
            }
            _ => {
                let outcome = self.check();
                *last = Some((now, outcome.clone()));
                outcome
            }
        }
    }

    /// Begins a check. It is a task of its own, because the client may disconnect, and the check may
    /// panic.
    fn check(&self) -> Outcome {
        let checks = Arc::clone(&self.0);
        let task = tokio::spawn(async move {
            match timeout(SECOND, (checks.check)()).await {
                Ok(outcome) => outcome,
                Err(_) => Err("the check took longer than 1 s".to_owned()),
            }
        });
        let checks = Arc::clone(&self.0);
        let outcome = async move {
            let outcome = task.await;
            checks.note(outcome.unwrap_or_else(|_| Err("the check panicked".to_owned())))
        };
        outcome.boxed().shared()
    }
}

impl Checks {
    /// Logs a change of readiness, and returns whether the service is ready.
    fn note(&self, outcome: Result<(), String>) -> bool {
        let is_ready = outcome.is_ok();
        let had_failed = self.failed.swap(!is_ready, Ordering::Relaxed);
        match outcome {
            Err(reason) if !had_failed => tracing::warn!(reason, "the service is not ready"),
            Ok(()) if had_failed => tracing::info!("the service is ready again"),
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
