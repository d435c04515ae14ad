//! A handler that has started and has not finished.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use crate::call::Ended;

/// A handler that is running, or waits for a thread to run on.
pub(crate) struct Task {
    future: Pin<Box<dyn Future<Output = Ended> + Send>>,
    /// The slot of the queue in which the handler may still wait.
    queued: Option<Arc<dyn Queued>>,
}

/// Work that waits in a queue.
pub(crate) trait Queued: Send + Sync {
    /// Leaves the queue, because the call has timed out or its caller has disconnected. Returns
    /// false if the work has already started.
    fn give_up(&self, because: Because) -> bool;
}

/// The reason why a call is given up before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    TimeIsOver,
    CallerHasGone,
}

impl Task {
    /// Creates a task that starts with its first poll.
    pub(super) fn begun(future: Pin<Box<dyn Future<Output = Ended> + Send>>) -> Self {
        Self {
            future,
            queued: None,
        }
    }

    /// Creates a task that starts when a thread is free.
    pub(crate) fn queued(
        future: Pin<Box<dyn Future<Output = Ended> + Send>>,
        queued: Arc<impl Queued + 'static>,
    ) -> Self {
        Self {
            future,
            queued: Some(queued),
        }
    }

    #[inline]
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Ended> {
        self.future.as_mut().poll(cx)
    }

    /// Prevents the task from starting. Returns false if it may have started already.
    pub(crate) fn give_up(&self, because: Because) -> bool {
        let queued = self.queued.as_ref();
        queued.is_some_and(|queued| queued.give_up(because))
    }
}

/// The progress of a call that has other work to do before its handler starts.
#[derive(Default)]
pub(crate) struct Stage(Mutex<Step>);

#[derive(Default)]
enum Step {
    /// The handler has not started.
    #[default]
    Before,
    /// The handler has started.
    Begun,
    /// The handler waits for a thread, or has started on one.
    Queued(Arc<dyn Queued>),
    GivenUp,
}

impl Stage {
    /// Records that the handler starts now. Returns false if the call was given up.
    pub(crate) fn begin(&self) -> bool {
        let mut step = self.step();
        let may_begin = matches!(*step, Step::Before);
        if may_begin {
            *step = Step::Begun;
        }
        may_begin
    }

    /// Records the slot in which the started handler waits, if it does.
    pub(crate) fn runs(&self, task: &Task) {
        if let Some(queued) = &task.queued {
            *self.step() = Step::Queued(Arc::clone(queued));
        }
    }

    /// Returns whether the handler has not started; if so, it never will.
    pub(crate) fn is_unstarted(&self) -> bool {
        self.give_up(Because::CallerHasGone)
    }

    fn step(&self) -> MutexGuard<'_, Step> {
        // No change can leave the step incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queued for Stage {
    fn give_up(&self, because: Because) -> bool {
        let queued = {
            let mut step = self.step();
            match &*step {
                Step::Before => {
                    *step = Step::GivenUp;
                    return true;
                }
                Step::GivenUp => return true,
                Step::Begun => return false,
                Step::Queued(queued) => Arc::clone(queued),
            }
        };
        queued.give_up(because)
    }
}
