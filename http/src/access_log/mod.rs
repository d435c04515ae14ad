//! An access log: one line for each call.
//!
//! ```text
//! time=… id=… peer=192.0.2.7:51234 client=192.0.2.7 procedure="book.find" ending=answered seconds=0.000213 …
//! ```
//!
//! It is an observer like any other, so it sees what a [`CallRecord`] has and nothing else. [`line`] makes the line, in which
//! every text of a caller is quoted and shortened. [`queue`] takes it to a thread of its own, so that a slow disk delays
//! no call. The queue has a bound: lines over it are dropped, and a line says how many. Writing in the call would lose none,
//! and make every caller wait for the disk.
//!
//! Errors and panics are not here: they go to the log of `tracing` where they happen, with an incident.

mod line;
mod queue;

use std::io::Write;
use std::sync::Arc;
use std::time::SystemTime;

use docent_core::{CallRecord, Observer};

use line::LineFormat;
use queue::LineQueue;

/// Writes one line for each call: the time at which it ended, the ID of its request and who chose that ID
/// (`caller` or `server`), its peer, client and caller, the procedure, the version of the service, the error
/// code, the duration, and the sizes of its parameters and response. Requests that fail before they become
/// calls have lines, too: the ID of each response is in the log.
///
/// The peer of a call over a Unix socket is `unix`. The client is the peer or, behind [trusted
/// proxies](crate::HttpOptions::trusted_proxies), the address that they name.
///
/// Texts that callers chose are escaped and shortened, so a line is always one line.
///
/// Calls do not wait for the writer: a thread writes the lines, and up to 8,192 lines wait for it. Further
/// lines are dropped and counted; the next line that is written says how many.
///
/// ```
/// use docent::{AccessLog, Cx, Fault, Procedure, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534609")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .observer(AccessLog::json(std::io::stdout()))
///     .build()?;
/// # let _ = service;
/// # Ok::<(), docent::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct AccessLog(LogTarget);

#[derive(Debug, Clone)]
enum LogTarget {
    Writer(LineFormat, Arc<LineQueue>),
    Tracing,
}

impl AccessLog {
    /// Writes lines of `name=value` pairs to a file, stdout or any other writer. Unknown values are
    /// `-`.
    pub fn text(writer: impl Write + Send + 'static) -> Self {
        Self::with_writer(LineFormat::Text, writer)
    }

    /// Writes lines of JSON objects to a file, stdout or any other writer. Unknown values are null.
    pub fn json(writer: impl Write + Send + 'static) -> Self {
        Self::with_writer(LineFormat::Json, writer)
    }

    /// Emits `tracing` events at level INFO with the target `docent::access`. The subscriber decides how they
    /// are written, and whether calls wait until they are.
    pub fn tracing() -> Self {
        Self(LogTarget::Tracing)
    }

    /// Returns the number of lines that were dropped, because too many were waiting or because writing failed.
    pub fn dropped(&self) -> u64 {
        match &self.0 {
            LogTarget::Writer(_, queue) => queue.dropped(),
            LogTarget::Tracing => 0,
        }
    }

    fn with_writer(format: LineFormat, writer: impl Write + Send + 'static) -> Self {
        Self(LogTarget::Writer(
            format,
            Arc::new(LineQueue::new(writer, format)),
        ))
    }
}

impl Observer for AccessLog {
    fn finished(&self, call: &CallRecord<'_>) {
        match &self.0 {
            LogTarget::Writer(format, queue) => {
                queue.push(line::format_line(call, *format, SystemTime::now()));
            }
            LogTarget::Tracing => line::emit(call),
        }
    }
}
