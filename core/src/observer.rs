//! Observers are notified of every call, for example to collect metrics.
//!
//! An observer hears of each call once, when it has ended, and cannot change it. All that it sees
//! is bounded by the description, except for values that it asks for by name.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use crate::extensions::Extensions;
use crate::identity::Identity;
use crate::wire::Protocol;

/// Receives every call when it has ended, once, even if its caller has disconnected; see [`Ending`].
///
/// It also receives requests that were rejected or abandoned before they became calls, with `unknown` as
/// the procedure.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use docent::{Cx, Fault, CallRecord, Observer, Procedure, Service};
///
/// #[derive(Clone, Default)]
/// struct Failures(Arc<AtomicUsize>);
///
/// impl Observer for Failures {
///     fn finished(&self, call: &CallRecord<'_>) {
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer",
    label = "does not implement `Observer`",
    note = "implement `Observer` for your own type: it has one method, `finished`"
)]
pub trait Observer: Send + Sync + 'static {
    /// Called when a call has ended. It runs in the future of the call, or where that future is
    /// dropped, so it must not block.
    fn finished(&self, call: &CallRecord<'_>);
}

/// A call that has ended.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is independent of the others"
)]
pub struct CallRecord<'a> {
    /// The name of the procedure. It never contains text from a caller: unknown names and invalid
    /// requests have the name `unknown`, and a body that is not JSON counts as one call.
    pub procedure: &'a str,
    /// The version of the service, if it has one.
    pub version: Option<&'a str>,
    /// The protocol version.
    pub protocol: Protocol,
    /// The end of the call: whether it ran to completion, and whether its caller was still
    /// connected.
    pub ending: Ending,
    /// The error code; `None` for a result, and for a call that was cancelled.
    pub code: Option<i64>,
    /// Set if the result, or the data of the error, did not match the description but was still sent
    /// ([`CheckResults`](crate::CheckResults)).
    pub mismatch: bool,
    /// Set if the caller got the outcome of an earlier call with the same key.
    pub replayed: bool,
    /// Set if the call was a notification.
    pub notification: bool,
    /// Set if the call has opened a subscription, which has ended. Its duration and its response are those of the whole
    /// subscription.
    pub subscription: bool,
    /// The duration of the call. `None` without a runtime, and if the call was cancelled before it
    /// started.
    pub duration: Option<Duration>,
    /// The size of the parameters as sent, in bytes.
    pub request_bytes: usize,
    /// The size of the response, in bytes.
    pub response_bytes: usize,
    pub(crate) sender: Sender<'a>,
}

impl CallRecord<'_> {
    /// Returns a value attached by the transport, such as the address of the peer.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.sender.extensions?.get()
    }

    /// Returns the address of the client, if the transport knows it. Over HTTP, behind
    /// trusted proxies, it is the address that they name.
    pub fn client_address(&self) -> Option<IpAddr> {
        self.sender.extensions?.client_address()
    }

    /// Returns the [id](Identity::id) of the caller, if its identity is known. It may contain text
    /// from the caller.
    pub fn caller(&self) -> Option<Cow<'_, str>> {
        Some(self.sender.caller?.id())
    }
}

/// The sender of a call.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sender<'a> {
    pub(crate) extensions: Option<&'a Extensions>,
    pub(crate) caller: Option<&'a dyn Identity>,
}

impl fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

/// The end of a call: whether it ran to completion, and whether its caller was still connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The call was answered, or was a notification.
    Answered,
    /// The caller disconnected before the response, but the call ran to completion: its procedure is
    /// not idempotent and had started, or the call finished before the rest of its batch.
    Unanswered,
    /// The caller disconnected and the call was cancelled: its procedure is idempotent, or it had
    /// not started.
    Cancelled,
}
