//! How long requests may take.

use std::time::{Duration, Instant};

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// Until when all of them have to be done.
    end: Option<Instant>,
    /// What was allowed, for messages.
    pub(super) time: Option<Duration>,
}

impl Limit {
    /// One limit for all requests.
    pub(super) fn all(time: Duration) -> Self {
        Self {
            end: Some(Instant::now() + time),
            time: Some(time),
        }
    }

    /// A limit for each request, or none.
    pub(super) fn each(time: Option<Duration>) -> Self {
        Self { end: None, time }
    }

    /// Returns the limit, if it is the shorter one; otherwise one for all requests.
    pub(super) fn within(self, time: Duration) -> Self {
        match self.left() {
            Some(left) if left < time => self,
            _ => Self::all(time),
        }
    }

    pub(super) fn left(self) -> Option<Duration> {
        match self.end {
            Some(end) => Some(end.saturating_duration_since(Instant::now())),
            None => self.time,
        }
    }
}
