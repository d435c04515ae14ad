//! Time limits for requests.

use std::time::{Duration, Instant};

/// A time limit for requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// The deadline of all requests together.
    end: Option<Instant>,
    /// The time that was allowed, for messages.
    pub(super) time: Option<Duration>,
}

impl Limit {
    /// Creates one limit for all requests together.
    pub(super) fn all(time: Duration) -> Self {
        Self {
            end: Some(Instant::now() + time),
            time: Some(time),
        }
    }

    /// Creates a limit for each request, or none.
    pub(super) fn each(time: Option<Duration>) -> Self {
        Self { end: None, time }
    }

    /// Returns the stricter of this limit and one for all requests together.
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
