//! Observers: what metrics are made of.

use std::time::Duration;

use crate::wire::Protocol;

/// Sees every call when it has been answered, and every body or address that was refused before it
/// became one.
///
/// A call whose caller has gone is not answered, and not seen.
pub trait Observer: Send + Sync + 'static {
    /// A call has been answered. Called in the call's own future, so it must not block.
    fn finished(&self, call: &Finished<'_>);
}

/// A call that has been answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finished<'a> {
    /// The name of the procedure. What a caller writes never gets here: a name that is not
    /// registered is `unknown`, and so is the procedure of what is no valid request: a body that is
    /// no JSON counts as one call.
    pub procedure: &'a str,
    /// The version of the protocol.
    pub protocol: Protocol,
    /// The code of the error that was answered; none for a result.
    pub code: Option<i64>,
    /// Whether no answer was wanted.
    pub notification: bool,
    /// How long it took; none without a runtime, which is where time comes from.
    pub duration: Option<Duration>,
    /// The size of the parameters as they were written, in bytes.
    pub request_bytes: usize,
    /// The size of the answer, in bytes.
    pub response_bytes: usize,
}
