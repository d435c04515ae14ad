//! Lines on stderr, for servers whose log goes nowhere.

use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

use crate::recent::{Admission, RecentErrors};

/// The errors of the last second. Stderr is shared by all services of the process, and so is this.
static RECENT: Mutex<RecentErrors> = Mutex::new(RecentErrors::new());

/// Returns whether the log goes nowhere: there is no `tracing` subscriber, and no logger of the `log`
/// crate, to which `tracing` passes events if there is no subscriber.
pub(crate) fn is_log_unread() -> bool {
    let unread = tracing::dispatcher::get_default(Dispatch::is::<NoSubscriber>);
    unread && log::max_level() == log::LevelFilter::Off
}

/// Writes an error if the log goes nowhere, unless there were too many in the last second. Their
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

/// Writes a line. If stderr is closed, the line is lost.
pub(crate) fn write(line: &str) {
    // One write for the whole line, so that the lines of two threads do not mix.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn lock() -> std::sync::MutexGuard<'static, RecentErrors> {
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
        let left_out = lock().take_left_out();
        count(left_out);
    };
    // Without a thread, the next error that is written counts those before it.
    let _ = thread::Builder::new()
        .name("docent-stderr".to_owned())
        .spawn(counting);
}
