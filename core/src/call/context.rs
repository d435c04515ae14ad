//! What a handler knows of the call that it answers.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use docent_describe::ProcedureDescription;

use super::shared::Call;
use crate::trace::TraceParent;
use crate::wire::Protocol;

/// The context of a call: the service's state, and everything known about the call.
///
/// The state is typed, so that a handler that needs one cannot be registered with a service that
/// has none. A call counts as running as long as a context of it is kept.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use docent_core::{Cx, Fault, Procedure, Service};
///
/// struct Counter(AtomicU64);
///
/// fn next(cx: Cx<Counter>, (): ()) -> Result<u64, Fault> {
///     assert_eq!(cx.procedure().name, "next");
///     Ok(cx.state().0.fetch_add(1, Ordering::Relaxed))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("counter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c15")
///     .state(Counter(AtomicU64::new(7)))
///     .procedure(Procedure::sync("next", next))
///     .build()?;
/// assert_eq!(service.call::<u64>("next", &()).await?, 7);
/// # Ok(())
/// # }
/// ```
pub struct Cx<S = ()> {
    state: Arc<S>,
    call: Arc<Call>,
}

impl<S> Cx<S> {
    pub(crate) fn new(state: Arc<S>, call: Arc<Call>) -> Self {
        Self { state, call }
    }

    /// The state that the service was built with.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// The description of the procedure that is called.
    pub fn procedure(&self) -> &ProcedureDescription {
        &self.call.callee().description
    }

    /// The version of the protocol that the call speaks.
    pub fn protocol(&self) -> Protocol {
        self.call.meta.protocol
    }

    /// Whether nobody is going to see the answer because none was asked for.
    pub fn is_notification(&self) -> bool {
        self.call.meta.notification
    }

    /// When the call's time is over; none without a runtime, which is where time comes from, and none
    /// where that is later than a clock can say.
    pub fn deadline(&self) -> Option<Instant> {
        self.call.deadline()
    }

    /// Whether the caller has gone or the call's time is over.
    ///
    /// An asynchronous handler of an idempotent procedure is dropped at that moment and never sees
    /// it; a blocking one can look and give up, and so can one that has to run to its end.
    pub fn is_cancelled(&self) -> bool {
        self.call.is_cancelled()
    }

    pub(crate) fn call(&self) -> Arc<Call> {
        Arc::clone(&self.call)
    }

    /// What the transport has left for handlers, by type, such as the peer's address.
    ///
    /// A procedure with a [shared cache](crate::Procedure::shared_cache) has promised that its result
    /// does not depend on who asks: it finds the [trace](TraceParent) here and nothing else.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        if self.call.callee().shared_cache && TypeId::of::<T>() != TypeId::of::<TraceParent>() {
            return None;
        }
        self.call.extensions.as_ref()?.get()
    }
}

impl<S> Clone for Cx<S> {
    fn clone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            call: Arc::clone(&self.call),
        }
    }
}

impl<S> fmt::Debug for Cx<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cx")
            .field("procedure", &self.call.callee().description.name)
            .field("protocol", &self.call.meta.protocol)
            .field("notification", &self.call.meta.notification)
            .finish_non_exhaustive()
    }
}
