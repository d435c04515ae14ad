//! The waker of the sources of a connection: it wakes the connection's task, and remembers that it was a source that did.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};

use futures_util::task::AtomicWaker;

/// Wakes the task of a connection for its sources.
///
/// Messages and calls wake the same task, and a poll of each of a hundred sources that wait costs more than a call. So
/// sources are polled only if one of them has woken the task since.
#[derive(Default)]
pub(super) struct SourceWaker {
    task: AtomicWaker,
    is_woken: AtomicBool,
}

impl SourceWaker {
    /// Sets the task that is woken.
    pub(super) fn set_task(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Notes that a source may have something. Unlike a source that wakes, this does not wake the task.
    pub(super) fn note(&self) {
        self.is_woken.store(true, Ordering::Release);
    }

    /// Returns whether a source may have something, once.
    pub(super) fn take(&self) -> bool {
        self.is_woken.swap(false, Ordering::AcqRel)
    }
}

impl Wake for SourceWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.note();
        self.task.wake();
    }
}
