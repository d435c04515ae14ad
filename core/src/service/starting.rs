//! Starts procedures that have guards or need to know their callers.
//!
//! If the decision is available at once, the handler starts at once, like any other. Otherwise the call
//! waits, with its place among the running calls and within its timeout.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::admitted::{Accepted, Admitted};
use super::callers::{Finding, Wait};
use super::dispatch::Dispatch;
use super::ending::{Interruption, settled};
use super::rest::{Asking, Rest, Unstarted, in_place};
use super::running::Running;
use crate::call::{Call, Ended, Started};
use crate::caller::Verdict;
use crate::fault::Fault;
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::Task;
use crate::runtime::Runtime;

impl<'s> Dispatch<'s> {
    /// Starts a procedure that has guards or needs to know its caller.
    pub(super) fn start_known(
        &self,
        accepted: Accepted<'s>,
        output: &mut Output,
        waker: &mut Context<'_>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Started<Rest<'s>> {
        let call = &accepted.call;
        let wait = match caught(|| call.in_span(|| self.ask(call, waker))) {
            Ok(Ok(Ok(verdict))) => {
                return self.begin(accepted, Ok(verdict), output, waker, begin);
            }
            Ok(Ok(Err(wait))) => wait,
            Ok(Err(fault)) => return self.begin(accepted, Err(fault), output, waker, begin),
            Err(panic) => return self.follow(accepted.call, output, Err(panic), waker),
        };
        let unstarted = Unstarted::new(self.service, &accepted.call);
        Started::Running(Rest::Asking(Box::new(Asking {
            accepted,
            output: output.take(),
            wait,
            unstarted,
        })))
    }

    /// Runs the guards and the authenticator. Returns the verdict, or what the call must wait for.
    fn ask(&self, call: &Call, waker: &mut Context<'_>) -> Result<Result<Verdict, Wait>, Fault> {
        let (callee, info) = (call.callee(), call.info());
        let mut attempt = self.callers.attempt(self.service, callee, &info);
        match attempt.as_mut().map(|attempt| attempt.poll_place(waker)) {
            Some(Poll::Pending) => return Ok(Err(Wait::Place(attempt))),
            Some(Poll::Ready(place)) => place?,
            None => {}
        }
        Ok(match self.callers.ask(callee, &info, attempt)? {
            Finding::Found(verdict) => Ok(verdict),
            Finding::Pending(pending) => Err(Wait::Caller(pending)),
        })
    }

    /// Waits until it is known who is calling, and then for the handler.
    pub(super) async fn end_known(
        &self,
        asking: Asking<'s>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Ended {
        let Asking {
            accepted,
            mut output,
            wait,
            unstarted,
        } = asking;
        let outcome = {
            let call = &accepted.call;
            let info = call.info();
            let asked = self.callers.ask_in_turn(call.callee(), &info, wait);
            in_time(asked, call.runtime.as_deref(), call.deadline()).await
        };
        unstarted.ended();
        let verdict = match outcome {
            Ok(verdict) => verdict,
            Err(interruption) => {
                let results = self.service.results();
                return settled(&accepted.call, results, Err(interruption));
            }
        };
        let begin = |waker: &mut Context<'_>| {
            self.begin::<Running<'s>>(accepted, verdict, &mut output, waker, begin)
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
        verdict: Result<Verdict, Fault>,
        output: &mut Output,
        waker: &mut Context<'_>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Started<R> {
        let Accepted { call, callable } = accepted;
        let identified = || identify(&call, verdict).and_then(|()| call.keep_limits());
        let begin = || match identified() {
            Ok(()) if call.callee().is_unknown => Started::Ended(Err(Fault::not_found(&[]))),
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

/// Sets the caller of a call, if that caller may make it.
fn identify(call: &Call, verdict: Result<Verdict, Fault>) -> Result<(), Fault> {
    let verdict = verdict?;
    if let Some(access) = &call.callee().access
        && let Some(caller) = access.decide(verdict, &call.info())?
    {
        call.set_caller(caller);
    }
    Ok(())
}

/// Waits for the work that precedes a call, within the time of the call.
pub(super) async fn in_time<T>(
    work: impl Future<Output = Result<T, Panic>>,
    runtime: Option<&dyn Runtime>,
    deadline: Option<Instant>,
) -> Result<T, Interruption> {
    let (Some(runtime), Some(deadline)) = (runtime, deadline) else {
        return work.await.map_err(Interruption::Panic);
    };
    let sleep = || runtime.sleep(deadline.saturating_duration_since(runtime.now()));
    let timer = caught(sleep).map_err(Interruption::Clockless)?;
    // Panics of guards and authenticators are caught elsewhere, so this one is the timer's.
    let work = pin!(work);
    let first = AssertUnwindSafe(select(work, timer)).catch_unwind();
    match first.await {
        Ok(Either::Left((outcome, _))) => outcome.map_err(Interruption::Panic),
        Ok(Either::Right(_)) => Err(Interruption::NotStarted),
        Err(panic) => Err(Interruption::Clockless(Panic::of(panic))),
    }
}
