//! A handler that has started and has not finished.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::call::Ended;

/// A handler that is running, or waits for a thread to run on.
pub(crate) struct Task {
    future: Pin<Box<dyn Future<Output = Ended> + Send>>,
    /// The slot in the queue where the handler may still wait.
    queued: Option<Arc<dyn Queued>>,
}

/// Work that waits in a queue.
pub(super) trait Queued: Send + Sync {
    /// Leaves the queue, because the call has timed out or its caller has disconnected. Returns
    /// false if the work has already started.
    fn give_up(&self, because: Because) -> bool;
}

/// Why a call is given up before it starts.
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
    pub(super) fn queued(
        future: Pin<Box<dyn Future<Output = Ended> + Send>>,
        queued: Arc<dyn Queued>,
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
