//! A running handler: its timeout, its panics, and what happens when its caller disconnects.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::ending::{Interruption, settled};
use super::state::Service;
use crate::call::{Call, Ended, Started};
use crate::observer::Ending;
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::{Because, Task};
use crate::runtime::BoxFuture;

/// Polls a handler to its end.
///
/// If it is dropped before that, or runs out of time, it cancels an idempotent procedure by dropping
/// it. Any other procedure may have begun to change something, so it is handed to the runtime and
/// runs to its end. A handler that does not wait costs no task and no timer.
pub(super) struct Running<'s> {
    service: &'s Service,
    task: Option<Task>,
    call: Arc<Call>,
    timer: Option<BoxFuture<()>>,
    /// Set once the end of the call has been reported.
    answered: bool,
}

impl<'s> Running<'s> {
    /// Creates the future of a handler that has been polled once and waits.
    pub(super) fn begin<R: From<Self>>(
        service: &'s Service,
        task: Task,
        call: Arc<Call>,
        output: &mut Output,
        cx: &mut Context<'_>,
    ) -> Started<R> {
        let mut running = Self {
            service,
            task: Some(task),
            call,
            timer: None,
            answered: false,
        };
        match running.after(Ok(Poll::Pending), cx) {
            Poll::Ready(ended) => Started::Ended(ended.written_to(output)),
            Poll::Pending => Started::Running(running.into()),
        }
    }

    /// Decides how to continue after the handler has been polled.
    fn after(&mut self, polled: Result<Poll<Ended>, Panic>, cx: &mut Context<'_>) -> Poll<Ended> {
        let outcome = match polled {
            Ok(Poll::Ready(ended)) => {
                self.task = None;
                Ok(ended)
            }
            Ok(Poll::Pending) => match caught(|| self.is_out_of_time(cx)) {
                Ok(false) => return Poll::Pending,
                Ok(true) => Err(self.late()),
                Err(panic) => Err(Interruption::Clockless(panic)),
            },
            Err(panic) => {
                self.task = None;
                Err(Interruption::Panic(panic))
            }
        };
        self.answered = true;
        Poll::Ready(settled(&self.call, self.service.results(), outcome))
    }

    /// Returns the outcome of a call that timed out.
    fn late(&mut self) -> Interruption {
        let task = self.task.as_ref();
        if task.is_some_and(|task| task.give_up(Because::TimeIsOver)) {
            self.task = None;
            return Interruption::NotStarted;
        }
        // The caller of this function drops the task.
        Interruption::Late
    }

    /// Returns whether the call has timed out, and arranges a wake-up for the moment when it does.
    fn is_out_of_time(&mut self, cx: &mut Context<'_>) -> bool {
        let (Some(runtime), Some(deadline)) = (&self.call.runtime, self.call.deadline()) else {
            return false;
        };
        let timer = self.timer.get_or_insert_with(|| {
            runtime.sleep(deadline.saturating_duration_since(runtime.now()))
        });
        timer.as_mut().poll(cx).is_ready()
    }
}

impl Future for Running<'_> {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(task) = &mut this.task else {
            // Only reached if it is polled again after its end, which our callers do not do.
            return Poll::Pending;
        };
        let poll = || this.call.in_span(|| task.poll(cx));
        let polled = caught(poll);
        this.after(polled, cx)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let Some(task) = self.task.take() else {
            return;
        };
        self.call.cancel();
        match &self.call.runtime {
            Some(runtime) if !self.call.callee().description.idempotent => {
                let (service, call) = (self.service.clone(), Arc::clone(&self.call));
                let rest = run_to_end(service, task, call, self.answered);
                if let Err(panic) = caught(|| runtime.spawn(Box::pin(rest))) {
                    let log = || self.call.report().panicked("the runtime", panic);
                    self.call.in_span(log);
                }
            }
            _ => {
                task.give_up(Because::CallerHasGone);
                // A handler's values may panic when they are dropped. That must not go further,
                // either.
                if let Err(panic) = caught(|| drop(task)) {
                    let log = || self.call.report().panicked("a procedure", panic);
                    self.call.in_span(log);
                }
                if !self.answered {
                    self.service
                        .tell_unheard(&self.call, Ending::Cancelled, None);
                }
            }
        }
    }
}

/// Runs a handler whose caller has disconnected. It keeps its permit, so it still counts as
/// running.
async fn run_to_end(service: Service, mut task: Task, call: Arc<Call>, answered: bool) {
    let outcome = std::future::poll_fn(|cx| {
        let poll = || call.in_span(|| task.poll(cx));
        match caught(poll) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(Interruption::Panic(panic))),
        }
    });
    // Only the log and observers get the outcome.
    let ended = settled(&call, service.results(), outcome.await);
    if !answered {
        service.tell_unheard(&call, Ending::Unanswered, Some(&ended));
    }
}
