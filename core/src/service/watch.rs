//! Telling observers what became of a call.

use std::time::Instant;

use super::answered::Answered;
use super::{Service, caught};
use crate::observer::Finished;

/// A call that observers will hear of. It costs a look at the clock, and that only where somebody
/// observes.
pub(super) struct Watch<'s> {
    service: &'s Service,
    begun: Option<Instant>,
}

impl Service {
    #[inline]
    pub(super) fn watch(&self) -> Watch<'_> {
        let observed = !self.inner.frame.observers.is_empty();
        let runtime = self.runtime.as_ref().filter(|_| observed);
        Watch {
            service: self,
            begun: runtime.map(|runtime| runtime.now()),
        }
    }
}

impl Watch<'_> {
    #[inline]
    pub(super) fn end(self, answered: &Answered) {
        if !self.service.inner.frame.observers.is_empty() {
            self.tell(answered);
        }
    }

    fn tell(self, answered: &Answered) {
        let procedure = answered
            .entry
            .as_ref()
            .map(|entry| &*entry.description.name);
        let now = self.service.runtime.as_ref().map(|runtime| runtime.now());
        let finished = Finished {
            procedure: procedure.unwrap_or("unknown"),
            protocol: answered.protocol,
            code: answered.code,
            notification: answered.notification,
            duration: self.begun.zip(now).map(|(begun, now)| now - begun),
            request_bytes: answered.request_bytes,
            response_bytes: answered.body.as_ref().map_or(0, Vec::len),
        };
        for observer in self.service.inner.frame.observers.iter() {
            // The call is over, and its answer does not depend on who looks on.
            if let Err(panic) = caught(|| observer.finished(&finished)) {
                panic.log("an observer", finished.procedure);
            }
        }
    }
}
