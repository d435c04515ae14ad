//! Telling observers what became of a call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answered::Answered;
use super::{Service, caught};
use crate::cx::Call;
use crate::observer::{Ending, Finished, Observer};
use crate::runtime::Runtime;

/// Who hears of a call even when its caller has gone. There is none where nobody observes.
pub(crate) struct Watched {
    observers: Arc<[Arc<dyn Observer>]>,
    begun: Option<Instant>,
    request_bytes: usize,
}

impl Service {
    #[inline]
    pub(super) fn is_observed(&self) -> bool {
        !self.inner.frame.observers.is_empty()
    }

    /// The present moment, where somebody wants to know how long a call takes: a look at the clock
    /// has its price.
    #[inline]
    pub(super) fn begin(&self) -> Option<Instant> {
        let runtime = self.runtime.as_ref().filter(|_| self.is_observed());
        runtime.map(|runtime| runtime.now())
    }

    #[inline]
    pub(super) fn watched(&self, begun: Option<Instant>, request_bytes: usize) -> Option<Watched> {
        self.is_observed().then(|| Watched {
            observers: Arc::clone(&self.inner.frame.observers),
            begun,
            request_bytes,
        })
    }

    /// How long a call has taken, where somebody wants to know.
    #[inline]
    pub(super) fn since(&self, begun: Option<Instant>) -> Option<Duration> {
        since(self.runtime.as_deref(), begun)
    }

    /// Tells of a call that is over and took so long.
    #[inline]
    pub(super) fn tell(&self, answered: &Answered, ending: Ending, duration: Option<Duration>) {
        if self.is_observed() {
            let finished = answered.finished(ending, duration);
            tell(&self.inner.frame.observers, &finished);
        }
    }
}

impl Call {
    /// Tells of a call whose caller has gone.
    pub(super) fn tell_unheard(&self, ending: Ending, code: Option<i64>) {
        let Some(watched) = &self.watched else {
            return;
        };
        let finished = Finished {
            procedure: &self.entry.description.name,
            protocol: self.protocol,
            ending,
            code,
            notification: self.notification,
            duration: since(self.runtime.as_deref(), watched.begun),
            request_bytes: watched.request_bytes,
            response_bytes: 0,
        };
        tell(&watched.observers, &finished);
    }
}

fn since(runtime: Option<&dyn Runtime>, begun: Option<Instant>) -> Option<Duration> {
    let begun = begun?;
    runtime.map(|runtime| runtime.now().saturating_duration_since(begun))
}

fn tell(observers: &[Arc<dyn Observer>], finished: &Finished<'_>) {
    for observer in observers {
        // The call is over, and its answer does not depend on who looks on.
        if let Err(panic) = caught(|| observer.finished(finished)) {
            panic.log("an observer", finished.procedure);
        }
    }
}
