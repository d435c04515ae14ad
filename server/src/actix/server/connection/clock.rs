//! Timeouts of a connection.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// A deadline that changes with every request. Its timer is not reset while the deadline only moves
/// later, so an ordinary request does not touch it.
#[derive(Debug)]
pub(super) struct Clock {
    deadline: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
    /// True if the timer will wake the task of the connection. The same task always polls a
    /// connection, so the timer need not be polled again before it fires.
    armed: bool,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            deadline: None,
            timer: None,
            armed: false,
        }
    }

    /// Sets the deadline this far in the future. Zero, and durations that a clock cannot represent,
    /// mean no deadline.
    pub(super) fn set(&mut self, time: Duration) {
        let limit = Some(time).filter(|time| !time.is_zero());
        self.deadline = limit.and_then(|time| Instant::now().checked_add(time));
    }

    /// Waits for the deadline.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() > deadline {
            timer.as_mut().reset(deadline);
            self.armed = false;
        }
        if self.armed && !timer.is_elapsed() {
            return Poll::Pending;
        }
        while timer.as_mut().poll(cx).is_ready() {
            if timer.deadline() >= deadline {
                return Poll::Ready(());
            }
            timer.as_mut().reset(deadline);
        }
        self.armed = true;
        Poll::Pending
    }
}
