//! Observers: what metrics are made of.

use std::time::Duration;

use crate::wire::Protocol;

/// Sees every call when it is over, and every exchange that was refused, or whose caller left, before it
/// became one: that has the procedure `unknown`.
///
/// Each is told of once, whatever becomes of its caller: see [`Ending`].
pub trait Observer: Send + Sync + 'static {
    /// A call is over. Called in the call's own future, or where it is dropped, so it must not block.
    fn finished(&self, call: &Finished<'_>);
}

/// A call that is over.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finished<'a> {
    /// The name of the procedure. What a caller writes never gets here: a name that is not
    /// registered is `unknown`, and so is the procedure of what is no valid request: a body that is
    /// no JSON counts as one call.
    pub procedure: &'a str,
    /// The version of the protocol.
    pub protocol: Protocol,
    /// Whether the call came to its end, and whether its caller was still there.
    pub ending: Ending,
    /// The code of the error that it came to; none for a result, and for a call that was cancelled.
    pub code: Option<i64>,
    /// Whether no answer was wanted.
    pub notification: bool,
    /// How long it took; none without a runtime, which is where time comes from, and none for what
    /// was cancelled before it began.
    pub duration: Option<Duration>,
    /// The size of the parameters as they were written, in bytes.
    pub request_bytes: usize,
    /// The size of the answer, in bytes.
    pub response_bytes: usize,
}

/// Whether a call came to its end, and whether its caller was still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// It was answered, or was a notification and wanted no answer.
    Answered,
    /// Its caller left before it was answered, and it came to its end all the same. A procedure that
    /// is not idempotent does once it has started, and so does what ended before the rest of its
    /// batch.
    Unanswered,
    /// Its caller left, and it was given up: its procedure is idempotent, or it had not begun.
    Cancelled,
}
