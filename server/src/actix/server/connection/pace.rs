//! The pace at which a peer has to send or read what is larger than a buffer.
//!
//! A limit on the whole time would be a limit on the size, and one on each piece would let a peer send single
//! bytes for ever.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use docent_http::MIN_PROGRESS;
use tokio::time::{Instant, Sleep, sleep};

/// The time that a peer has for each 256 KiB, or for all that is left. It passes only while the peer is waited for.
pub(super) struct Pace {
    interval: Duration,
    /// The number of bytes that it has to send or read in each interval.
    bytes_per_interval: usize,
    time_left: Duration,
    /// The number of bytes since the interval began.
    moved: usize,
    wait: Option<Wait>,
}

/// A wait for the peer.
struct Wait {
    begun: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Pace {
    pub(super) fn new(interval: Duration) -> Self {
        Self {
            interval,
            bytes_per_interval: MIN_PROGRESS,
            time_left: interval,
            moved: 0,
            wait: None,
        }
    }

    /// Creates the pace of a reader of events: it has this time for each byte, because there may never be 256 KiB to read.
    pub(super) fn of_events(interval: Duration) -> Self {
        Self {
            bytes_per_interval: 1,
            ..Self::new(interval)
        }
    }

    /// Ends a wait: this many bytes were sent or read.
    pub(super) fn advance(&mut self, bytes: usize) {
        if let Some(wait) = self.wait.take() {
            self.time_left = self.time_left.saturating_sub(wait.begun.elapsed());
        }
        self.moved += bytes;
        if self.moved >= self.bytes_per_interval {
            self.moved = 0;
            self.time_left = self.interval;
        }
    }

    /// Waits for the peer. Ready if its time is over.
    pub(super) fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let wait = self.wait.get_or_insert_with(|| Wait {
            begun: Instant::now(),
            timer: Box::pin(sleep(self.time_left)),
        });
        wait.timer.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::time::timeout;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(30);

    /// Waits for the peer, and returns whether it was too slow.
    async fn wait(pace: &mut Pace, time: Duration) -> bool {
        timeout(time, poll_fn(|cx| pace.poll_over(cx)))
            .await
            .is_ok()
    }

    #[tokio::test]
    async fn waits_add_up_until_enough_has_moved() {
        tokio::time::pause();
        let mut pace = Pace::new(INTERVAL);
        for _ in 0..3 {
            assert!(!wait(&mut pace, INTERVAL * 2 / 3).await);
            pace.advance(MIN_PROGRESS);
            // Other work does not count.
            sleep(INTERVAL).await;
        }
        assert!(!wait(&mut pace, INTERVAL * 2 / 3).await);
        pace.advance(MIN_PROGRESS - 1);
        assert!(wait(&mut pace, INTERVAL * 2 / 3).await);
    }
}
