//! Work that waits for a thread that may block. It either runs to completion or is given up before
//! it starts, whichever comes first.

use std::future::poll_fn;
use std::sync::mpsc::{SendError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use futures_util::task::AtomicWaker;

use crate::call::Call;
use crate::fault::Fault;
use crate::output::{Ended, Output, Task};
use crate::panic::{Panic, caught, lock};
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
        work: Mutex::new(Some((call, work))),
        waker: AtomicWaker::new(),
    });
    let (sender, outcome) = sync_channel(1);
    let turn = QueuedWork {
        sender,
        side: QueueSide(Arc::clone(&queued)),
    };
    runtime.spawn_blocking(Box::new(move || turn.take()));
    let side = QueueSide(queued);
    Box::pin(poll_fn(move |cx| {
        side.0.waker.register(cx.waker());
        match outcome.try_recv() {
            Ok(Ok(ended)) => Poll::Ready(ended),
            // The code that polls a task handles its panics, wherever they come from.
            Ok(Err(panic)) => panic.resume(),
            Err(TryRecvError::Empty) => Poll::Pending,
            Err(TryRecvError::Disconnected) => {
                let lost = Fault::internal("the runtime dropped the call before it finished");
                Poll::Ready(Ended::failed(Output::lost(), lost))
            }
        }
    }))
}

/// Work in the queue, until it begins or is given up. It owns everything that waits, so that giving up
/// a call releases its permit and its memory at once, however long the queue is.
struct Queued<W> {
    work: Mutex<Option<(Arc<Call>, W)>>,
    /// Wakes the task that waits for the outcome.
    waker: AtomicWaker,
}

impl<W> Queued<W> {
    fn take(&self) -> Option<(Arc<Call>, W)> {
        // No change can leave it incomplete.
        lock(&self.work).take()
    }
}

/// The side of the runtime, or that of the task. When either is dropped, work that has not begun is
/// given up, and the task is woken.
struct QueueSide<W>(Arc<Queued<W>>);

impl<W> Drop for QueueSide<W> {
    fn drop(&mut self) {
        if let Some((call, work)) = self.0.take() {
            drop_work(&call, work);
        }
        self.0.waker.wake();
    }
}

/// The turn of some work to get a thread.
struct QueuedWork<W> {
    // Dropped before its side, which wakes the task.
    sender: SyncSender<Result<Ended, Panic>>,
    side: QueueSide<W>,
}

impl<W: FnOnce() -> Ended> QueuedWork<W> {
    /// Runs the work, unless it was given up.
    fn take(self) {
        let Some((call, work)) = self.side.0.take() else {
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
        let callee = Arc::clone(call.callee());
        let runtime = call.runtime.clone();
        // The values of a call may panic when they are dropped. The call releases its permit before
        // the outcome is passed on.
        let released = caught(move || drop(call));
        if let Err(SendError(Err(panic))) = self.sender.send(released.and(outcome)) {
            Report::new(callee.name(), runtime.as_deref()).panicked("a procedure", panic);
        }
    }
}

/// Drops work that never runs. Its parameters may panic when they are dropped.
fn drop_work<W>(call: &Call, work: W) {
    if let Err(panic) = caught(|| drop(work)) {
        call.report().panicked("a procedure", panic);
    }
}
