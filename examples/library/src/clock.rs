//! Which day it is.
//!
//! Whether a loan is overdue depends on today's date. The store asks a [`Clock`] for it, so that a
//! test can decide the day and a loan can grow old without anybody waiting.

use crate::model::Date;

/// Says which day it is.
pub trait Clock: Send + Sync {
    /// Today's date.
    fn today(&self) -> Date;
}

/// The system's clock, read in UTC.
///
/// UTC, because the process may be started in any time zone and two processes on one file should
/// agree on the day.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn today(&self) -> Date {
        Date::from(time::OffsetDateTime::now_utc().date())
    }
}

/// A clock that always shows the same day.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(pub Date);

impl Clock for FixedClock {
    fn today(&self) -> Date {
        self.0
    }
}
