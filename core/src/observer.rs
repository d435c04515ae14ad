//! Observers: what metrics are made of.

use std::time::Duration;

use crate::wire::Protocol;

/// Sees every call when it is over, and every exchange that was refused, or whose caller left, before it
/// became one: that has the procedure `unknown`.
///
/// Each is told of once, whatever becomes of its caller: see [`Ending`].
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use docent_core::{Cx, Fault, Finished, Observer, Procedure, Service};
///
/// #[derive(Clone, Default)]
/// struct Failures(Arc<AtomicUsize>);
///
/// impl Observer for Failures {
///     fn finished(&self, call: &Finished<'_>) {
///         if call.code.is_some() {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let failures = Failures::default();
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c17")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .observer(failures.clone())
///     .build()?;
/// service.call::<String>("hello", &()).await?;
/// service.call::<String>("goodbye", &()).await.unwrap_err();
/// assert_eq!(failures.0.load(Ordering::Relaxed), 1);
/// # Ok(())
/// # }
/// ```
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
