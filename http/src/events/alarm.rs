//! The waits of a stream that has nothing to send, beside the one for its source: for the end of the server, for the end of
//! the caller's credentials, and for the time of a comment.
//!
//! Each item wakes the task of its stream, and mostly none of these is due. So they are asked only once for each task that
//! polls them, and when the clock or the server says that one of them is due.

use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, SystemTime};

use docent_core::BoxFuture;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::shutdown::Shutdown;

/// The time without an event after which a comment is sent, so that proxies and readers see that the response lives.
const COMMENT_INTERVAL: Duration = Duration::from_secs(15);

/// The reason why a stream is woken that has nothing to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alarm {
    Comment,
    /// The server shuts down, or the credentials of the caller have ended: see [`Alarms::has_shut_down`] and
    /// [`Alarms::has_expired`].
    End,
}

/// The alarms of a stream.
pub(super) struct Alarms {
    shutdown: Shutdown,
    /// Ends when the shutdown begins; `None` afterwards.
    begins: Option<BoxFuture<()>>,
    /// The moment at which the credentials of the caller end; `None` afterwards.
    expiry: Option<Instant>,
    /// Fires when a comment may be due or the credentials end.
    timer: Pin<Box<Sleep>>,
    /// The moment at which it fires.
    next: Instant,
    /// The waker of the task that is woken.
    waker: Option<Waker>,
}

impl Alarms {
    /// Creates the alarms of a stream that begins now. The credentials of its caller end at `valid_until`.
    pub(super) fn new(shutdown: &Shutdown, valid_until: Option<SystemTime>) -> Self {
        let left = valid_until.map(|end| end.duration_since(SystemTime::now()));
        // A moment beyond what the clock can represent never comes.
        let expiry = left.and_then(|left| Instant::now().checked_add(left.unwrap_or_default()));
        Self {
            shutdown: shutdown.clone(),
            begins: Some(Box::pin(shutdown.begins())),
            expiry,
            timer: Box::pin(sleep_until(Instant::now())),
            next: Instant::now(),
            waker: None,
        }
    }

    /// Returns whether the server shuts down, once.
    pub(super) fn has_shut_down(&mut self) -> bool {
        self.shutdown.has_begun() && self.begins.take().is_some()
    }

    /// Returns whether the credentials of the caller have ended, once.
    pub(super) fn has_expired(&mut self) -> bool {
        self.expiry
            .take_if(|expiry| *expiry <= Instant::now())
            .is_some()
    }

    /// Waits for an alarm, after a stream whose last event was sent at this moment.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, last_event: Instant) -> Poll<Alarm> {
        let comment = last_event + COMMENT_INTERVAL;
        let now = Instant::now();
        let is_end_due = self.expiry.is_some_and(|expiry| expiry <= now);
        if is_end_due || (self.begins.is_some() && self.shutdown.has_begun()) {
            return Poll::Ready(Alarm::End);
        }
        if comment <= now {
            return Poll::Ready(Alarm::Comment);
        }
        let waker = self.waker.as_ref();
        let is_known = waker.is_some_and(|waker| waker.will_wake(cx.waker()));
        if is_known && now < self.next {
            return Poll::Pending;
        }
        self.waker = Some(cx.waker().clone());
        self.next = self.expiry.map_or(comment, |expiry| expiry.min(comment));
        self.timer.as_mut().reset(self.next);
        let begins = self.begins.as_mut();
        if begins.is_some_and(|begins| begins.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Alarm::End);
        }
        ready!(self.timer.as_mut().poll(cx));
        // It was due in between.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
