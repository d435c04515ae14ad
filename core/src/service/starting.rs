//! Starting a procedure that asks who is calling.
//!
//! If that is known at once, the handler starts at once, like any other. Otherwise the call waits: with
//! its place among the running calls, and within its timeout.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::admitted::{Accepted, Admitted, Starting};
use super::callers::{Finding, Pending};
use super::dispatch::Dispatch;
use super::ending::{Interruption, settled};
use super::running::Running;
use super::state::Service;
use crate::call::{Access, Call, Ended, Started};
use crate::caller::Verdict;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::panic::{Panic, caught};
use crate::procedure::Task;
use crate::runtime::Runtime;

impl<'s> Dispatch<'s> {
    /// Starts a procedure that asks who is calling.
    pub(super) fn start_known<'a>(
        &'a self,
        accepted: Accepted<'a>,
        begin: impl FnOnce(Admitted<'_>) -> Started<Task> + Send + 'a,
    ) -> Starting<'a, 's> {
        let Some(access) = &accepted.callable.callee.access else {
            return Starting::Now(self.begin(accepted, |_| Ok(()), begin));
        };
        let call = &accepted.call;
        let ask = || {
            call.ask_guards()?;
            let extensions = call.extensions.as_deref();
            Ok(self.callers.ask(&access.authority, extensions))
        };
        let found: Result<Finding, Fault> = match caught(|| call.in_span(ask)) {
            Ok(found) => found,
            Err(panic) => return Starting::Now(self.follow(accepted.call, Err(panic))),
        };
        match found {
            Ok(Finding::Found(verdict)) => {
                Starting::Now(self.begin(accepted, |call| identify(call, access, verdict), begin))
            }
            Ok(Finding::Pending(pending)) => Starting::Later(Box::pin(async move {
                let waiting = Unstarted {
                    service: self.service,
                    call: Some(Arc::clone(&accepted.call)),
                };
                let outcome = {
                    let call = &accepted.call;
                    known_in_time(pending, call.runtime.as_deref(), call.deadline()).await
                };
                waiting.ended();
                match outcome {
                    Ok(verdict) => {
                        let identify = |call: &Call| identify(call, access, verdict);
                        self.begin(accepted, identify, begin).await
                    }
                    Err(interruption) => {
                        let results = self.service.results();
                        settled(&accepted.call, results, Err(interruption))
                    }
                }
            })),
            Err(fault) => Starting::Now(self.begin(accepted, |_| Err(fault), begin)),
        }
    }

    /// Begins the handler, unless the call is rejected.
    fn begin(
        &self,
        accepted: Accepted<'_>,
        identify: impl FnOnce(&Call) -> Result<(), Fault>,
        begin: impl FnOnce(Admitted<'_>) -> Started<Task>,
    ) -> Started<Running<'s>> {
        let Accepted {
            call,
            callable,
            output,
        } = accepted;
        let begin = || match identify(&call).and_then(|()| call.keep_limits()) {
            Ok(()) => begin(Admitted {
                call: &call,
                callable,
                output,
            }),
            Err(fault) => Started::Ended(Ended::failed(output, fault)),
        };
        let outcome = caught(|| call.in_span(begin));
        self.follow(call, outcome)
    }
}

/// Tells a call who its caller is, if that caller may make it.
fn identify(call: &Call, access: &Access, verdict: Verdict) -> Result<(), Fault> {
    if let Some(caller) = access.decide(verdict, &call.info())? {
        call.set_caller(caller);
    }
    Ok(())
}

/// Waits until it is known who is calling, for as long as the call has time.
pub(super) async fn known_in_time(
    pending: Pending,
    runtime: Option<&dyn Runtime>,
    deadline: Option<Instant>,
) -> Result<Verdict, Interruption> {
    let (Some(runtime), Some(deadline)) = (runtime, deadline) else {
        return Ok(pending.await);
    };
    let sleep = || runtime.sleep(deadline.saturating_duration_since(runtime.now()));
    let timer = caught(sleep).map_err(Interruption::Clockless)?;
    // What finds out who is calling catches its own panics.
    let first = AssertUnwindSafe(select(pending, timer)).catch_unwind();
    match first.await {
        Ok(Either::Left((verdict, _))) => Ok(verdict),
        Ok(Either::Right(_)) => Err(Interruption::NotStarted),
        Err(panic) => Err(Interruption::Clockless(Panic::of(panic))),
    }
}

/// A call that waits to start. If dropped before that, it is reported as cancelled.
struct Unstarted<'s> {
    service: &'s Service,
    call: Option<Arc<Call>>,
}

impl Unstarted<'_> {
    fn ended(mut self) {
        self.call = None;
    }
}

impl Drop for Unstarted<'_> {
    fn drop(&mut self) {
        if let Some(call) = &self.call {
            self.service.tell_unheard(call, Ending::Cancelled, None);
        }
    }
}
