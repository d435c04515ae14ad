//! Starting a procedure that asks who is calling.
//!
//! If that is known at once, the handler starts at once, like any other. Otherwise the call waits: with
//! its place among the running calls, and within its timeout.

use std::panic::AssertUnwindSafe;
use std::task::Context;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::admitted::{Accepted, Admitted};
use super::callers::{Finding, Pending};
use super::dispatch::Dispatch;
use super::ending::{Interruption, settled};
use super::rest::{Asking, Rest, Unstarted, in_place};
use super::running::Running;
use crate::call::{Access, Call, Ended, Started};
use crate::caller::Verdict;
use crate::fault::Fault;
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::Task;
use crate::runtime::Runtime;

impl<'s> Dispatch<'s> {
    /// Starts a procedure that asks who is calling.
    pub(super) fn start_known(
        &self,
        accepted: Accepted<'s>,
        access: &'s Access,
        output: &mut Output,
        waker: &mut Context<'_>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Started<Rest<'s>> {
        let call = &accepted.call;
        let ask = || {
            self.ask_guards(call)?;
            let extensions = call.extensions.as_deref();
            let attempt = self.service.attempt(extensions);
            Ok(self.callers.ask(&access.authority, extensions, attempt))
        };
        match caught(|| call.in_span(ask)) {
            Ok(Ok(Finding::Found(verdict))) => {
                let identify = |call: &Call| identify(call, access, verdict);
                self.begin(accepted, identify, output, waker, begin)
            }
            Ok(Ok(Finding::Pending(pending))) => {
                let unstarted = Unstarted::new(self.service, &accepted.call);
                Started::Running(Rest::Asking(Box::new(Asking {
                    accepted,
                    access,
                    output: output.take(),
                    pending,
                    unstarted,
                })))
            }
            Ok(Err(fault)) => self.begin(accepted, |_| Err(fault), output, waker, begin),
            Err(panic) => self.follow(accepted.call, output, Err(panic), waker),
        }
    }

    /// Waits until it is known who is calling, and then for the handler.
    pub(super) async fn end_known(
        &self,
        asking: Asking<'s>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Ended {
        let Asking {
            accepted,
            access,
            mut output,
            pending,
            unstarted,
        } = asking;
        let outcome = {
            let call = &accepted.call;
            known_in_time(pending, call.runtime.as_deref(), call.deadline()).await
        };
        unstarted.ended();
        let verdict = match outcome {
            Ok(verdict) => verdict,
            Err(interruption) => {
                let results = self.service.results();
                return settled(&accepted.call, results, Err(interruption));
            }
        };
        let identify = |call: &Call| identify(call, access, verdict);
        let begin = |waker: &mut Context<'_>| {
            self.begin::<Running<'s>>(accepted, identify, &mut output, waker, begin)
        };
        match in_place(begin).await {
            Started::Ended(result) => Ended { output, result },
            Started::Running(running) => running.await,
        }
    }

    /// Begins the handler, unless the call is rejected.
    fn begin<R: From<Running<'s>>>(
        &self,
        accepted: Accepted<'s>,
        identify: impl FnOnce(&Call) -> Result<(), Fault>,
        output: &mut Output,
        waker: &mut Context<'_>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Started<R> {
        let Accepted { call, callable } = accepted;
        let begin = || match identify(&call).and_then(|()| call.keep_limits()) {
            Ok(()) => begin(Admitted {
                call: &call,
                callable,
                output: &mut *output,
                waker: &mut *waker,
            }),
            Err(fault) => Started::Ended(Err(fault)),
        };
        let outcome = caught(|| call.in_span(begin));
        self.follow(call, output, outcome, waker)
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
