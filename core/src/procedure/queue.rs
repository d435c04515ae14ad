//! Work that waits for a thread that may block. It either runs to completion or is given up before
//! it starts, whichever comes first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::handover::{Giver, handover};
use super::task::{Because, Queued, Task};
use crate::call::{Call, Ended};
use crate::fault::Fault;
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::report::Report;
use crate::runtime::Runtime;

/// Queues the work of a call in a runtime.
pub(super) fn enter<W>(runtime: &dyn Runtime, call: Arc<Call>, work: W) -> Task
where
    W: FnOnce() -> Ended + Send + 'static,
{
    // The time in the queue counts toward the timeout.
    call.deadline();
    let (giver, taker) = handover();
    let slot = Arc::new(Slot(Mutex::new(State::Waiting(call, work))));
    let queued = Arc::clone(&slot);
    runtime.spawn_blocking(Box::new(move || slot.take_turn(giver)));
    let future = Box::pin(async move {
        match taker.await {
            Some(Ok(ended)) => ended,
            // The code that polls a task handles its panics, wherever they come from.
            Some(Err(panic)) => panic.resume(),
            None => {
                let lost = Fault::internal("the runtime dropped the call before it finished");
                Ended::failed(Output::lost(), lost)
            }
        }
    });
    Task::queued(future, queued)
}

/// Work in the queue. The slot owns everything that waits, so that giving up a call releases its
/// permit and its memory at once, however long the queue is.
struct Slot<W>(Mutex<State<W>>);

enum State<W> {
    Waiting(Arc<Call>, W),
    Begun,
    GivenUp,
}

impl<W: FnOnce() -> Ended + Send> Slot<W> {
    /// Runs the work on a thread of the runtime.
    fn take_turn(&self, giver: Giver<Result<Ended, Panic>>) {
        let Some((call, work)) = self.begin() else {
            // If the call was given up, its caller already has a response. Otherwise it gets one
            // here.
            let late = Ended::failed(Output::lost(), Fault::not_started());
            let _ = giver.give(Ok(late));
            return;
        };
        let outcome = caught(|| call.in_span(work));
        // Needed to report a panic after the caller has gone.
        let scene = outcome
            .is_err()
            .then(|| (Arc::clone(call.callee()), call.runtime.clone()));
        // The values of a call may panic when they are dropped. The call releases its place before
        // the outcome is passed on.
        let outcome = caught(move || drop(call)).and(outcome);
        // The caller may be gone, but the work is done.
        if let Err(Err(panic)) = giver.give(outcome)
            && let Some((callee, runtime)) = &scene
        {
            Report::new(callee.name(), runtime.as_deref()).panicked("a procedure", panic);
        }
    }

    /// Returns the work if it has not been started or given up.
    fn begin(&self) -> Option<(Arc<Call>, W)> {
        let mut state = self.lock();
        if matches!(&*state, State::Waiting(call, _) if call.is_out_of_time()) {
            drop(state);
            self.give_up(Because::TimeIsOver);
            return None;
        }
        match std::mem::replace(&mut *state, State::Begun) {
            State::Waiting(call, work) => Some((call, work)),
            other => {
                *state = other;
                None
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        // No change can leave the state incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: FnOnce() -> Ended + Send> Queued for Slot<W> {
    fn give_up(&self, because: Because) -> bool {
        let mut state = self.lock();
        let (call, work) = match std::mem::replace(&mut *state, State::GivenUp) {
            State::Waiting(call, work) => (call, work),
            State::GivenUp => return true,
            State::Begun => {
                *state = State::Begun;
                return false;
            }
        };
        drop(state);
        if because == Because::TimeIsOver && call.is_unheard() {
            // There is nobody else to report it.
            let procedure = call.callee().name();
            let text = "a call that no caller waits for timed out before it started";
            call.in_span(|| tracing::warn!(procedure, "{text}"));
        }
        // The parameters may panic when they are dropped.
        if let Err(panic) = caught(|| drop(work)) {
            call.report().panicked("a procedure", panic);
        }
        true
    }
}
