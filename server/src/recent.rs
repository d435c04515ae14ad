//! Limits how many errors are written in a second: to stderr, and of TLS handshakes to the log.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The most errors that are written in a second. A service that fails at every call must not fill a
/// disk.
const MOST: usize = 10;

const SECOND: Duration = Duration::from_secs(1);

/// The times of the last errors that were written, and the number of those left out since.
pub(crate) struct RecentErrors {
    written: VecDeque<Instant>,
    left_out: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// The error is written, after a line about those that were left out before it.
    Granted {
        left_out: u64,
    },
    /// The error is the first that is left out. After this time, another may be written.
    First {
        wait: Duration,
    },
    Denied,
}

impl RecentErrors {
    pub(crate) const fn new() -> Self {
        Self {
            written: VecDeque::new(),
            left_out: 0,
        }
    }

    /// Returns how many errors have been left out since the last one that was written, and resets the
    /// count.
    pub(crate) fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }

    pub(crate) fn admit(&mut self, now: Instant) -> Admission {
        let age = |written: &Instant| now.saturating_duration_since(*written);
        while self
            .written
            .front()
            .is_some_and(|oldest| age(oldest) >= SECOND)
        {
            self.written.pop_front();
        }
        if self.written.len() < MOST {
            self.written.push_back(now);
            let left_out = std::mem::take(&mut self.left_out);
            return Admission::Granted { left_out };
        }
        self.left_out += 1;
        match self.written.front() {
            Some(oldest) if self.left_out == 1 => Admission::First {
                wait: SECOND.saturating_sub(age(oldest)),
            },
            _ => Admission::Denied,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_errors_are_written_in_any_second_and_the_others_counted() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let granted = Admission::Granted { left_out: 0 };
        let mut recent = RecentErrors::new();
        for _ in 0..9 {
            assert_eq!(recent.admit(at(0)), granted);
        }
        assert_eq!(recent.admit(at(900)), granted);
        let wait = Duration::from_millis(50);
        assert_eq!(recent.admit(at(950)), Admission::First { wait });
        assert_eq!(recent.admit(at(999)), Admission::Denied);
        // The error at 900 ms belongs to the same second as these.
        assert_eq!(recent.admit(at(1_000)), Admission::Granted { left_out: 2 });
        for _ in 0..8 {
            assert_eq!(recent.admit(at(1_100)), granted);
        }
        let wait = Duration::from_millis(700);
        assert_eq!(recent.admit(at(1_200)), Admission::First { wait });
    }
}
