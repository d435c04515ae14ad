//! The waits of a stream that has nothing to send, beside the one for its source: for the end of the server, and for a
//! moment at which something is due.
//!
//! Each message wakes the task of its stream, and mostly neither has come. So the clock and the server are asked only
//! once for each task that polls them, and when one of them says that it has come.

use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::SystemTime;

use docent_core::BoxFuture;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::shutdown::Shutdown;

/// Wakes the task of a stream.
pub(crate) struct Alarm {
    shutdown: Shutdown,
    /// Ends when the shutdown begins; `None` afterwards.
    begins: Option<BoxFuture<()>>,
    /// Fires at a moment that may be before the next one that is due.
    timer: Pin<Box<Sleep>>,
    /// The moment at which it fires.
    next: Instant,
    /// The waker of the task that is woken.
    waker: Option<Waker>,
}

impl Alarm {
    /// Creates the alarm of a stream that begins now.
    pub(crate) fn new(shutdown: &Shutdown) -> Self {
        Self {
            shutdown: shutdown.clone(),
            begins: Some(Box::pin(shutdown.begins())),
            timer: Box::pin(sleep_until(Instant::now())),
            next: Instant::now(),
            waker: None,
        }
    }

    /// Returns whether the server shuts down, once.
    pub(crate) fn has_shut_down(&mut self) -> bool {
        self.shutdown.has_begun() && self.begins.take().is_some()
    }

    /// Waits until a moment, or until the server shuts down if the stream does not know that yet.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>, due: Instant) -> Poll<()> {
        let now = Instant::now();
        if due <= now || (self.begins.is_some() && self.shutdown.has_begun()) {
            return Poll::Ready(());
        }
        let waker = self.waker.as_ref();
        let is_known = waker.is_some_and(|waker| waker.will_wake(cx.waker()));
        if is_known && now < self.next && self.next <= due {
            return Poll::Pending;
        }
        self.waker = Some(cx.waker().clone());
        self.next = due;
        self.timer.as_mut().reset(self.next);
        let begins = self.begins.as_mut();
        if begins.is_some_and(|begins| begins.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(());
        }
        ready!(self.timer.as_mut().poll(cx));
        // It was due in between.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Returns the moment at which credentials end, by the clock of timers. `None` if it is beyond what that clock can
/// represent: such a moment never comes.
pub(crate) fn expiry(valid_until: SystemTime) -> Option<Instant> {
    let left = valid_until
        .duration_since(SystemTime::now())
        .unwrap_or_default();
    Instant::now().checked_add(left)
}
