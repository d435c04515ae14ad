//! Notifies observers of the ends of calls.
//!
//! Whatever becomes of a call, its end passes through here once. Observers may panic; the response
//! does not change.

use std::time::{Duration, Instant};

use super::dispatch::Dispatch;
use super::reply::Reply;
use super::state::Service;
use crate::call::{Call, Meta, UNKNOWN_PROCEDURE};
use crate::observer::{CallRecord, Ending, Sender};
use crate::output::Ended;
use crate::panic::caught;
use crate::report::Report;

impl Service {
    #[inline]
    pub(super) fn is_observed(&self) -> bool {
        !self.inner.frame.registration.observers.is_empty()
    }

    /// Returns the current time if there are observers: only they need the duration of a call, and
    /// reading the clock has a cost.
    #[inline]
    pub(super) fn begin(&self) -> Option<Instant> {
        if self.is_observed() { self.now() } else { None }
    }

    /// Returns the time that has passed since `begun`, if it is needed.
    #[inline]
    pub(super) fn since(&self, begun: Option<Instant>) -> Option<Duration> {
        let begun = begun?;
        Some(self.now()?.saturating_duration_since(begun))
    }

    /// Notifies observers of a call that has just been answered. They hear of a subscription when it ends.
    #[inline]
    pub(super) fn notify_answered(&self, reply: &Reply, sender: Option<&Dispatch<'_>>) {
        if self.is_observed() && !reply.opens_subscription() {
            let duration = self.since(reply.meta.begun);
            self.notify_ended(reply, Ending::Answered, duration, sender);
        }
    }

    /// Notifies observers of a call that ended after `duration`. `sender` is the exchange that it
    /// was part of.
    pub(super) fn notify_ended(
        &self,
        reply: &Reply,
        ending: Ending,
        duration: Option<Duration>,
        sender: Option<&Dispatch<'_>>,
    ) {
        let procedure = reply.procedure().map(|procedure| &*procedure.name);
        let caller = sender
            .zip(reply.callee())
            .and_then(|(sender, callee)| sender.caller(callee));
        self.notify_observers(&CallRecord {
            code: reply.error_code().filter(|_| ending != Ending::Cancelled),
            mismatch: reply.mismatch,
            replayed: reply.is_replayed(),
            duration,
            response_bytes: if ending == Ending::Answered {
                reply.body_length()
            } else {
                0
            },
            sender: Sender {
                extensions: sender.and_then(|sender| sender.extensions.as_deref()),
                caller: caller.as_deref(),
            },
            ..self.finished(procedure.unwrap_or(UNKNOWN_PROCEDURE), reply.meta, ending)
        });
    }

    /// Notifies observers of a call whose caller has disconnected, with its outcome if there is
    /// one.
    pub(super) fn notify_unheard(&self, call: &Call, ending: Ending, ended: Option<&Ended>) {
        self.notify_observers(&CallRecord {
            code: ended.and_then(|ended| Some(ended.result.as_ref().err()?.code())),
            mismatch: ended.is_some_and(|ended| ended.output.mismatch),
            replayed: ended.is_some_and(|ended| ended.output.replayed),
            ..self.finished_call(call, ending)
        });
    }

    /// Notifies observers of a subscription that has ended, with the size of all that was sent for it.
    pub(crate) fn notify_subscription_ended(
        &self,
        call: &Call,
        ending: Ending,
        code: Option<i64>,
        response_bytes: usize,
    ) {
        self.notify_observers(&CallRecord {
            code,
            subscription: true,
            response_bytes,
            ..self.finished_call(call, ending)
        });
    }

    fn finished_call<'a>(&'a self, call: &'a Call, ending: Ending) -> CallRecord<'a> {
        CallRecord {
            duration: self.since(call.meta.begun),
            sender: Sender {
                extensions: call.extensions.as_deref(),
                caller: call.caller().map(|caller| &**caller),
            },
            ..self.finished(call.callee().name(), call.meta, ending)
        }
    }

    pub(super) fn finished<'a>(
        &'a self,
        procedure: &'a str,
        meta: Meta,
        ending: Ending,
    ) -> CallRecord<'a> {
        CallRecord {
            procedure,
            version: self.description().version.as_deref(),
            protocol: meta.protocol,
            ending,
            code: None,
            mismatch: false,
            replayed: false,
            notification: meta.notification,
            subscription: false,
            duration: None,
            request_bytes: meta.request_bytes,
            response_bytes: 0,
            sender: Sender::default(),
        }
    }

    pub(super) fn notify_observers(&self, finished: &CallRecord<'_>) {
        for observer in &self.inner.frame.registration.observers {
            // The call has ended, and its response must not depend on observers.
            if let Err(panic) = caught(|| observer.finished(finished)) {
                Report::new(finished.procedure, self.runtime.as_deref())
                    .with_request_id(finished.sender.extensions)
                    .panicked("an observer", panic);
            }
        }
    }
}
