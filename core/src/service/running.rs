//! A running call: its timeout, its panics, and what happens when its caller disconnects.
//!
//! A handler that waits is driven here. If its caller leaves, an idempotent call is dropped and any
//! other is handed to the runtime, so that no change stops half-way.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::state::Service;
use crate::call::Call;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::output::{Ended, Output, Task};
use crate::panic::caught;

/// A call, from when it gets its permit until it ends.
///
/// If it is dropped before that, or runs out of time, it cancels an idempotent procedure or a subscription by dropping
/// it. Any other procedure may have begun to change something, so it is handed to the runtime and
/// runs to its end. A handler that does not wait costs no task and no timer.
pub(super) struct RunningCall<'s> {
    service: &'s Service,
    pub(super) call: Arc<Call>,
    /// The rest of a handler that waits: it has been polled once.
    pub(super) task: Option<Task>,
    /// Set once the outcome is known, and observers are notified of it with the response.
    is_over: bool,
}

impl<'s> RunningCall<'s> {
    pub(super) fn new(service: &'s Service, call: Arc<Call>) -> Self {
        Self {
            service,
            call,
            task: None,
            is_over: false,
        }
    }

    /// Waits for the rest of the handler.
    pub(super) async fn finish(&mut self) -> Ended {
        let Self { call, task, .. } = self;
        // The task has just been polled, with the same waker. Only the timer needs a poll.
        let mut is_polled = true;
        in_time(call, |cx| match task {
            Some(rest) if !std::mem::take(&mut is_polled) => {
                let polled = poll(call, rest, cx);
                if polled.is_ready() {
                    *task = None;
                }
                polled
            }
            _ => Poll::Pending,
        })
        .await
        .unwrap_or_else(|late| {
            // A handler that may have started is handed over when this is dropped.
            if call.give_up() {
                *task = None;
            }
            Ended::failed(Output::lost(), late)
        })
    }

    /// Ends the call with an outcome that the description allows.
    #[inline]
    pub(super) fn end(
        mut self,
        output: &mut Output,
        result: Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.is_over = true;
        self.service.settle(&self.call, output, result)
    }
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        let Self { service, call, .. } = self;
        let Some(task) = self.task.take() else {
            if !self.is_over {
                service.notify_unheard(call, Ending::Cancelled, None);
            }
            return;
        };
        call.cancel();
        let callee = call.callee();
        let changes = !callee.description.idempotent && !callee.is_subscription();
        if call.runtime.is_some() && changes {
            let rest = run_to_end(service.clone(), task, Arc::clone(call), self.is_over);
            call.hand_over(Box::pin(rest));
            return;
        }
        // A handler's values may panic when they are dropped. That must not go further, either.
        if let Err(panic) = caught(|| drop(task)) {
            call.in_span(|| call.report().panicked("a procedure", panic));
        }
        if !self.is_over {
            service.notify_unheard(call, Ending::Cancelled, None);
        }
    }
}

impl Service {
    /// Turns the outcome of a handler into one that the description allows.
    #[inline]
    pub(super) fn settle(
        &self,
        call: &Call,
        output: &mut Output,
        result: Result<(), Fault>,
    ) -> Result<(), Fault> {
        let results = self.inner.frame.results.as_deref();
        if result.is_ok() && (results.is_none() || call.callee().has_plain_result) {
            return result;
        }
        if result.is_ok() && call.is_known_result() {
            return result;
        }
        match results {
            None => result,
            Some(results) => results.check(call, output, result),
        }
        .map_err(|fault| call.publish(fault))
    }

    /// Checks an item of a subscription against the description.
    pub(crate) fn check_item(&self, call: &Call, item: &[u8]) -> Result<(), Fault> {
        match &self.inner.frame.results {
            Some(results) => results
                .check_item(call, item)
                .map_err(|mismatch| call.publish(mismatch)),
            None => Ok(()),
        }
    }
}

/// Polls `work` until it ends or the call runs out of time.
pub(super) async fn in_time<T>(
    call: &Call,
    mut work: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Result<T, Fault> {
    let mut timer = None;
    poll_fn(|cx| {
        if let Poll::Ready(value) = work(cx) {
            return Poll::Ready(Ok(value));
        }
        match caught(|| call.poll_timeout(&mut timer, cx)) {
            Ok(false) => Poll::Pending,
            Ok(true) => Poll::Ready(Err(call.time_out())),
            Err(panic) => Poll::Ready(Err(call.panicked("the runtime", panic))),
        }
    })
    .await
}

/// Runs a handler whose caller has disconnected. It keeps its permit, so it still counts as running.
async fn run_to_end(service: Service, mut task: Task, call: Arc<Call>, is_over: bool) {
    let Ended { mut output, result } = poll_fn(|cx| poll(&call, &mut task, cx)).await;
    // Only the log and observers get the outcome.
    let result = service.settle(&call, &mut output, result);
    if !is_over {
        let ended = Ended { output, result };
        service.notify_unheard(&call, Ending::Unanswered, Some(&ended));
    }
}

/// Polls a handler. A panic ends it.
fn poll(call: &Call, task: &mut Task, cx: &mut Context<'_>) -> Poll<Ended> {
    call.attempt(|| Ok(task.as_mut().poll(cx)))
        .unwrap_or_else(|fault| Poll::Ready(Ended::failed(Output::lost(), fault)))
}
