//! Limits how many errors are written in a second: to stderr, and of TLS handshakes to the log.
//!
//! A flood of errors is as bad for operators as silence. What is left out is counted, and the next
//! line says how many.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of errors that are written in a second. A service that fails at every call must not fill a
/// disk.
const MAX_ERRORS_PER_SECOND: u32 = 10;

pub(crate) const ONE_SECOND: Duration = Duration::from_secs(1);

/// Limits the errors that are written to ten a second, and counts those left out.
#[derive(Default)]
pub struct RecentErrors(Mutex<Second>);

#[derive(Default)]
struct Second {
    began: Option<Instant>,
    written: u32,
    left_out: u64,
}

impl RecentErrors {
    /// Creates the limit. No error counts yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Second {
            began: None,
            written: 0,
            left_out: 0,
        }))
    }

    /// Admits an error, and returns how many were left out since the last one that was admitted.
    ///
    /// # Errors
    /// The error is to be left out. Returns how many have been left out so far, including this one.
    pub fn admit(&self, now: Instant) -> Result<u64, u64> {
        let mut second = self.lock();
        let is_over = second
            .began
            .is_none_or(|began| now.saturating_duration_since(began) >= ONE_SECOND);
        if is_over {
            second.began = Some(now);
            second.written = 0;
        }
        if second.written == MAX_ERRORS_PER_SECOND {
            second.left_out += 1;
            return Err(second.left_out);
        }
        second.written += 1;
        Ok(std::mem::take(&mut second.left_out))
    }

    /// Returns how many errors were left out since the last one that was admitted, and resets the count.
    pub(crate) fn take_left_out(&self) -> u64 {
        std::mem::take(&mut self.lock().left_out)
    }

    fn lock(&self) -> MutexGuard<'_, Second> {
        // No change leaves the state incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_errors_are_written_in_a_second_and_the_others_counted() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let recent = RecentErrors::new();
        for _ in 0..10 {
            assert_eq!(recent.admit(at(900)), Ok(0));
        }
        assert_eq!(recent.admit(at(950)), Err(1));
        assert_eq!(recent.admit(at(1_899)), Err(2));
        assert_eq!(recent.admit(at(1_900)), Ok(2));
        for _ in 0..9 {
            assert_eq!(recent.admit(at(2_000)), Ok(0));
        }
        assert_eq!(recent.admit(at(2_100)), Err(1));
        assert_eq!(recent.take_left_out(), 1);
        assert_eq!(recent.admit(at(2_900)), Ok(0));
    }
}
