//! Work that waits for a thread that may block. It either runs to completion or is given up before
//! it starts, whichever comes first.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;

use crate::call::Call;
use crate::fault::Fault;
use crate::output::{Ended, Output, Task};
use crate::panic::{Panic, caught};
use crate::report::Report;
use crate::runtime::Runtime;

/// Queues the work of a call in a runtime. Dropping the task gives the work up, unless it has begun.
pub(super) fn enter<W>(runtime: &dyn Runtime, call: Arc<Call>, work: W) -> Task
where
    W: FnOnce() -> Ended + Send + 'static,
{
    // The time in the queue counts toward the timeout.
    call.deadline();
    call.waits();
    let queued = Arc::new(Queued {
        stage: Mutex::new(Stage::Waiting(call, work)),
        waker: AtomicWaker::new(),
    });
    let turn = Turn(Arc::clone(&queued));
    runtime.spawn_blocking(Box::new(move || turn.take()));
    let waiter = Waiter(queued);
    Box::pin(poll_fn(move |cx| waiter.poll(cx)))
}

/// Work in the queue. It owns everything that waits, so that giving up a call releases its permit and
/// its memory at once, however long the queue is.
struct Queued<W> {
    stage: Mutex<Stage<W>>,
    /// Wakes the task that waits for the outcome.
    waker: AtomicWaker,
}

enum Stage<W> {
    Waiting(Arc<Call>, W),
    Begun,
    Ended(Result<Ended, Panic>),
    /// The caller no longer waits for the outcome.
    Over,
}

impl<W> Queued<W> {
    fn stage(&self) -> MutexGuard<'_, Stage<W>> {
        // No change can leave the stage incomplete.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, stage: Stage<W>) -> Stage<W> {
        std::mem::replace(&mut *self.stage(), stage)
    }

    /// Passes on the outcome. Returns the panic if the caller no longer waits for it.
    fn end(&self, outcome: Result<Ended, Panic>) -> Option<Panic> {
        let mut stage = self.stage();
        if matches!(*stage, Stage::Over) {
            return outcome.err();
        }
        *stage = Stage::Ended(outcome);
        drop(stage);
        self.waker.wake();
        None
    }
}

/// The turn of some work to get a thread.
struct Turn<W: FnOnce() -> Ended>(Arc<Queued<W>>);

impl<W: FnOnce() -> Ended> Turn<W> {
    /// Runs the work, unless it was given up.
    fn take(self) {
        let Stage::Waiting(call, work) = self.0.replace(Stage::Begun) else {
            self.0.replace(Stage::Over);
            return;
        };
        let outcome = if call.is_out_of_time() || !call.begins() {
            let late = call.time_out();
            drop_work(&call, work);
            Ok(Ended::failed(Output::lost(), late))
        } else {
            caught(|| call.in_span(work))
        };
        // Needed to report a panic after the caller has gone.
        let (callee, runtime) = (Arc::clone(call.callee()), call.runtime.clone());
        // The values of a call may panic when they are dropped. The call releases its place before
        // the outcome is passed on.
        let outcome = caught(move || drop(call)).and(outcome);
        if let Some(panic) = self.0.end(outcome) {
            Report::new(callee.name(), runtime.as_deref()).panicked("a procedure", panic);
        }
    }
}

impl<W: FnOnce() -> Ended> Drop for Turn<W> {
    fn drop(&mut self) {
        let stage = {
            let mut stage = self.0.stage();
            if !matches!(*stage, Stage::Waiting(..) | Stage::Begun) {
                return;
            }
            std::mem::replace(&mut *stage, Stage::Begun)
        };
        let lost = Fault::internal("the runtime dropped the call before it finished");
        self.0.end(Ok(Ended::failed(Output::lost(), lost)));
        if let Stage::Waiting(call, work) = stage {
            drop_work(&call, work);
        }
    }
}

/// The task that waits for the outcome.
struct Waiter<W>(Arc<Queued<W>>);

impl<W> Waiter<W> {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<Ended> {
        self.0.waker.register(cx.waker());
        let mut stage = self.0.stage();
        if !matches!(*stage, Stage::Ended(_)) {
            return Poll::Pending;
        }
        match std::mem::replace(&mut *stage, Stage::Over) {
            Stage::Ended(Ok(ended)) => Poll::Ready(ended),
            // The code that polls a task handles its panics, wherever they come from.
            Stage::Ended(Err(panic)) => panic.resume(),
            _ => Poll::Pending,
        }
    }
}

impl<W> Drop for Waiter<W> {
    fn drop(&mut self) {
        if let Stage::Waiting(call, work) = self.0.replace(Stage::Over) {
            drop_work(&call, work);
        }
    }
}

/// Drops work that never runs. Its parameters may panic when they are dropped.
fn drop_work<W>(call: &Call, work: W) {
    if let Err(panic) = caught(|| drop(work)) {
        call.report().panicked("a procedure", panic);
    }
}
