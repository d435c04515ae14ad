//! The time between two requests.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// A limit on the time between two requests.
///
/// Its timer runs on while requests are served, and is only set to a later time when it fires: setting it anew for
/// each request would cost more than all the rest of a wait.
pub(super) struct Idle {
    /// `None` if there is no limit.
    time: Option<Duration>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Idle {
    /// Creates a limit of this time. Zero means no limit.
    pub(super) fn unless_zero(time: Duration) -> Self {
        Self {
            time: Some(time).filter(|time| !time.is_zero()),
            timer: None,
        }
    }

    /// Returns the outcome of a future, or `None` if it is pending when the time is over. Each future has all of the
    /// time.
    pub(super) async fn keep<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let mut end = None;
        poll_fn(|cx| {
            if let Poll::Ready(outcome) = future.as_mut().poll(cx) {
                return Poll::Ready(Some(outcome));
            }
            let Some(time) = self.time else {
                return Poll::Pending;
            };
            let end = *end.get_or_insert_with(|| Instant::now() + time);
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(end)));
            while timer.as_mut().poll(cx).is_ready() {
                if timer.deadline() >= end {
                    return Poll::Ready(None);
                }
                timer.as_mut().reset(end);
            }
            Poll::Pending
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    const TIME: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn each_wait_has_all_of_the_time_however_long_the_timer_has_run() {
        tokio::time::pause();
        let mut idle = Idle::unless_zero(TIME);
        for _ in 0..5 {
            assert_eq!(idle.keep(sleep(TIME * 2 / 3)).await, Some(()));
            // Serving a request.
            sleep(TIME * 2).await;
        }
        let begun = Instant::now();
        assert_eq!(idle.keep(pending::<()>()).await, None);
        assert!(begun.elapsed() >= TIME && begun.elapsed() < TIME * 2);
        let mut unlimited = Idle::unless_zero(Duration::ZERO);
        assert_eq!(unlimited.keep(sleep(TIME)).await, Some(()));
    }
}
