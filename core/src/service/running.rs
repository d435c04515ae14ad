//! A handler on its way: its time limit, its panics, and what becomes of it when nobody waits.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::caught;
use super::ending::{Interruption, log_panic, settled};
use crate::cx::Call;
use crate::procedure::{Ended, Task};
use crate::runtime::BoxFuture;

/// Polls a handler to its end.
///
/// Dropped before that, or out of time, it cancels an idempotent procedure by dropping it. Any other
/// procedure may have begun to change something, so it is handed to the runtime and runs to its
/// end. Nothing is spawned and no timer is made for a handler that does not wait.
pub(super) struct Running {
    task: Option<Task>,
    call: Arc<Call>,
    timer: Option<BoxFuture<()>>,
}

impl Running {
    pub(super) fn new(task: Task, call: Arc<Call>) -> Self {
        Self {
            task: Some(task),
            call,
            timer: None,
        }
    }

    /// Whether the call's time is over; arranges to be woken when it is.
    fn is_out_of_time(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(runtime) = &self.call.runtime else {
            return false;
        };
        let timer = self.timer.get_or_insert_with(|| {
            let left = self
                .call
                .deadline()
                .map(|deadline| deadline - runtime.now());
            runtime.sleep(left.unwrap_or(self.call.entry.timeout))
        });
        timer.as_mut().poll(cx).is_ready()
    }
}

impl Future for Running {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(task) = &mut this.task else {
            // Polled again after its end, which no caller of ours does.
            return Poll::Pending;
        };
        let poll = || this.call.span.in_scope(|| task.as_mut().poll(cx));
        let outcome = match caught(poll) {
            Ok(Poll::Ready(ended)) => {
                this.task = None;
                Ok(ended)
            }
            // What is left of it is for whoever drops this to deal with.
            Ok(Poll::Pending) if this.is_out_of_time(cx) => Err(Interruption::Timeout),
            Ok(Poll::Pending) => return Poll::Pending,
            Err(panic) => {
                this.task = None;
                Err(Interruption::Panic(panic))
            }
        };
        Poll::Ready(settled(&this.call, outcome))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(task) = self.task.take() else {
            return;
        };
        self.call.cancel();
        match &self.call.runtime {
            Some(runtime) if !self.call.entry.description.idempotent => {
                runtime.spawn(Box::pin(run_to_end(task, Arc::clone(&self.call))));
            }
            _ => {
                // A handler's values may panic when they are dropped; that is its own affair too.
                if let Err(panic) = caught(|| drop(task)) {
                    let log = || log_panic(&self.call.entry, panic);
                    self.call.span.in_scope(log);
                }
            }
        }
    }
}

/// Runs a handler that nobody waits for any more. It keeps its permit: it still counts as running.
async fn run_to_end(mut task: Task, call: Arc<Call>) {
    let outcome = std::future::poll_fn(|cx| {
        let poll = || call.span.in_scope(|| task.as_mut().poll(cx));
        match caught(poll) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(Interruption::Panic(panic))),
        }
    });
    // What it would have answered is of interest to the log alone.
    drop(settled(&call, outcome.await));
}
