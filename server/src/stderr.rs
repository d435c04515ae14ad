//! Lines on stderr, for servers whose log nobody reads.

use std::collections::VecDeque;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

/// How many errors are written in a second. A service that fails at every call must not fill a disk.
const MOST: usize = 10;

const SECOND: Duration = Duration::from_secs(1);

/// The errors of the last second. Stderr is shared by all services of the process, and so is this.
static RECENT: Mutex<Recent> = Mutex::new(Recent::new());

/// Returns whether nobody reads the log: there is no `tracing` subscriber, and no logger of the `log`
/// crate, to which `tracing` passes events if there is no subscriber.
pub(crate) fn is_log_unread() -> bool {
    let unread = tracing::dispatcher::get_default(Dispatch::is::<NoSubscriber>);
    unread && log::max_level() == log::LevelFilter::Off
}

/// Writes an error if nobody reads the log, unless there were too many in the last second. Their
/// number is written when the second is over.
pub(crate) fn error(line: &str) {
    if !is_log_unread() {
        return;
    }
    match lock().admit(Instant::now()) {
        Admission::Granted { left_out } => {
            count(left_out);
            write(&format!("error: {line}"));
        }
        Admission::First { wait } => count_after(wait),
        Admission::Denied => {}
    }
}

/// Writes a line. If stderr is closed, there is nobody to tell.
pub(crate) fn write(line: &str) {
    // One write for the whole line, so that the lines of two threads do not mix.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn lock() -> std::sync::MutexGuard<'static, Recent> {
    // No change leaves the state incomplete.
    RECENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes how many errors were left out, if any were.
fn count(left_out: u64) {
    match left_out {
        0 => {}
        1 => write("error: 1 more error was left out"),
        more => write(&format!("error: {more} more errors were left out")),
    }
}

/// Writes how many errors have been left out when this time is over. A thread of its own does that,
/// because errors may come from any thread, with or without a runtime. There is one at a time.
fn count_after(wait: Duration) {
    let counting = move || {
        thread::sleep(wait);
        let left_out = std::mem::take(&mut lock().left_out);
        count(left_out);
    };
    // Without a thread, the next error that is written counts those before it.
    let _ = thread::Builder::new()
        .name("docent-stderr".to_owned())
        .spawn(counting);
}

/// When the last errors were written, and how many have been left out since.
struct Recent {
    written: VecDeque<Instant>,
    left_out: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum Admission {
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

impl Recent {
    const fn new() -> Self {
        Self {
            written: VecDeque::new(),
            left_out: 0,
        }
    }

    fn admit(&mut self, now: Instant) -> Admission {
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
        let mut recent = Recent::new();
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
