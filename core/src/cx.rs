//! What a handler knows of the call that it answers.

use std::any::TypeId;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use docent_describe::ProcedureDescription;

use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::Attempt;
use crate::runtime::Runtime;
use crate::service::{CallSpan, Entry, Permit, Results, Watched};
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
        &self.call.entry.description
    }

    /// The version of the protocol that the call speaks.
    pub fn protocol(&self) -> Protocol {
        self.call.protocol
    }

    /// Whether nobody is going to see the answer because none was asked for.
    pub fn is_notification(&self) -> bool {
        self.call.notification
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
        if self.call.entry.shared_cache && TypeId::of::<T>() != TypeId::of::<TraceParent>() {
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
            .field("procedure", &self.call.entry.description.name)
            .field("protocol", &self.call.protocol)
            .field("notification", &self.call.notification)
            .finish_non_exhaustive()
    }
}

/// One call, shared between whoever runs it and whoever handles it.
pub(crate) struct Call {
    pub(crate) entry: Arc<Entry>,
    pub(crate) protocol: Protocol,
    pub(crate) notification: bool,
    pub(crate) extensions: Option<Arc<Extensions>>,
    pub(crate) runtime: Option<Arc<dyn Runtime>>,
    pub(crate) cancelled: AtomicBool,
    /// Set when somebody asks first, so that a call that nobody waits for costs no look at a clock.
    /// None where it is later than a clock can say.
    pub(crate) deadline: OnceLock<Option<Instant>>,
    /// What results are held to, where somebody looks.
    pub(crate) results: Option<Arc<Results>>,
    /// What the log says of everything that happens during the call.
    pub(crate) span: CallSpan,
    /// Who hears of the call when its caller has gone.
    pub(crate) watched: Option<Watched>,
    /// Given back when the last who knows of the call has let go of it.
    pub(crate) _permit: Permit,
}

impl Call {
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let runtime = self.runtime.as_ref()?;
        let timeout = self.entry.timeout;
        *self
            .deadline
            .get_or_init(|| runtime.now().checked_add(timeout))
    }

    /// Asks the guards that stand before the procedure, until one refuses.
    #[inline]
    pub(crate) fn ask_guards(&self) -> Result<(), Fault> {
        if self.entry.guards.is_empty() {
            return Ok(());
        }
        let attempt = Attempt::new(
            &self.entry.description,
            self.protocol,
            self.notification,
            self.extensions.as_deref(),
        );
        self.entry.ask_guards(&attempt)
    }

    /// Whether the call's time is over.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let deadline = self.deadline();
        let now = self.runtime.as_ref().map(|runtime| runtime.now());
        now.zip(deadline)
            .is_some_and(|(now, deadline)| now >= deadline)
    }

    /// Whether its caller has gone or its time is over.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether no caller hears what comes of it.
    pub(crate) fn is_unheard(&self) -> bool {
        self.notification || self.is_cancelled()
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
