//! Limits on the time that something may take.
//!
//! A timer is created only when something has to be waited for, because most requests arrive whole.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// A limit on the time that something may take.
///
/// Its time begins when something has to wait. Most heads and bodies have arrived when they are read, and
/// most responses fit into the buffer of a socket: these cost no timer, and no reading of the clock.
pub struct TimeLimit {
    /// `None` if there is no limit.
    time: Option<Duration>,
    /// Set once something had to wait.
    deadline: Option<Instant>,
}

impl TimeLimit {
    /// Creates a limit of this time.
    pub fn new(time: Duration) -> Self {
        Self {
            time: Some(time),
            deadline: None,
        }
    }

    /// Creates a limit of this time. Zero means no limit.
    pub fn unless_zero(time: Duration) -> Self {
        Self {
            time: Some(time).filter(|time| !time.is_zero()),
            deadline: None,
        }
    }

    /// Returns the outcome of a future, or `None` if it is pending when the time is over. Futures that
    /// are kept within one limit share its time.
    pub async fn keep<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let mut timer = pin!(None::<Sleep>);
        poll_fn(|cx| {
            if let Poll::Ready(outcome) = future.as_mut().poll(cx) {
                return Poll::Ready(Some(outcome));
            }
            if timer.is_none() {
                timer.set(self.deadline().map(sleep_until));
            }
            match timer.as_mut().as_pin_mut() {
                Some(timer) => timer.poll(cx).map(|()| None),
                None => Poll::Pending,
            }
        })
        .await
    }

    fn deadline(&mut self) -> Option<Instant> {
        if self.deadline.is_none() {
            self.deadline = self.time.map(|time| Instant::now() + time);
        }
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    const TIME: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn futures_within_one_limit_share_its_time_from_when_the_first_waits() {
        tokio::time::pause();
        let mut limit = TimeLimit::new(TIME);
        sleep(2 * TIME).await;
        assert_eq!(limit.keep(async { 1 }).await, Some(1));
        assert_eq!(limit.keep(sleep(TIME / 2)).await, Some(()));
        let begun = Instant::now();
        assert_eq!(limit.keep(pending::<()>()).await, None);
        assert!(begun.elapsed() < TIME);
        assert_eq!(limit.keep(async { 2 }).await, Some(2));
    }

    #[tokio::test]
    async fn a_time_of_zero_ends_at_once_or_never() {
        tokio::time::pause();
        assert_eq!(TimeLimit::new(Duration::ZERO).keep(sleep(TIME)).await, None);
        let mut unlimited = TimeLimit::unless_zero(Duration::ZERO);
        assert_eq!(unlimited.keep(sleep(TIME)).await, Some(()));
    }
}
