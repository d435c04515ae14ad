//! The current date.
//!
//! Today's date decides whether a loan is overdue. The store gets it from a [`Clock`], so a test
//! can set the date, and a loan can become overdue without any waiting.

use crate::model::Date;

/// A source of the current date.
pub trait Clock: Send + Sync {
    /// Returns today's date.
    fn today(&self) -> Date;
}

/// The system clock, read in UTC.
///
/// UTC, because the process may be started in any time zone, and two processes on one file should
/// agree on the date.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn today(&self) -> Date {
        Date::from(time::OffsetDateTime::now_utc().date())
    }
}

/// A clock that always shows the same date.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(pub Date);

impl Clock for FixedClock {
    fn today(&self) -> Date {
        self.0
    }
}
