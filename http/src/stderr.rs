//! Lines on stderr, for servers whose log goes nowhere.
//!
//! A program without a `tracing` subscriber would lose its errors. Nothing is written here once it has one.

use std::io::Write as _;
use std::thread;
use std::time::Instant;

use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

use crate::recent::{ONE_SECOND, RecentErrors};

/// The errors of the last second. Stderr is shared by all services of the process, and so is this.
static RECENT_ERRORS: RecentErrors = RecentErrors::new();

/// Returns whether the log goes nowhere: there is no `tracing` subscriber, and no logger of the `log`
/// crate, to which `tracing` passes events if there is no subscriber.
pub fn is_log_unread() -> bool {
    tracing::dispatcher::get_default(Dispatch::is::<NoSubscriber>) && !has_logger()
}

#[cfg(feature = "log")]
fn has_logger() -> bool {
    log::max_level() != log::LevelFilter::Off
}

#[cfg(not(feature = "log"))]
fn has_logger() -> bool {
    false
}

/// Writes an error if the log goes nowhere, unless there were too many in the last second. Their
/// number is written with the next one, or when a second is over.
pub(crate) fn error(line: &str) {
    if !is_log_unread() {
        return;
    }
    match RECENT_ERRORS.admit(Instant::now()) {
        Ok(left_out) => {
            count(left_out);
            write(&format!("error: {line}"));
        }
        // A thread of its own, because errors may come from any thread, with or without a runtime. Without
        // one, the next error that is written counts those before it.
        Err(1) => {
            let thread = thread::Builder::new().name("docent-stderr".to_owned());
            drop(thread.spawn(|| {
                thread::sleep(ONE_SECOND);
                count(RECENT_ERRORS.take_left_out());
            }));
        }
        Err(_) => {}
    }
}

/// Writes how many errors were left out, if any were.
fn count(left_out: u64) {
    if left_out > 0 {
        write(&format!("error: {left_out} more left out"));
    }
}

/// Writes a line. If stderr is closed, the line is lost.
pub fn write(line: &str) {
    // One write for the whole line, so that the lines of two threads do not mix.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}
