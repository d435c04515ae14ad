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
use crate::service::{CallSpan, Entry, Permit, Results};
use crate::trace::TraceParent;
use crate::wire::Protocol;

/// The context of a call: the service's state, and everything known about the call.
///
/// The state is typed, so that a handler that needs one cannot be registered with a service that
/// has none. A call counts as running as long as a context of it is kept.
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

    /// When the call's time is over; none without a runtime, which is where time comes from.
    pub fn deadline(&self) -> Option<Instant> {
        self.call.deadline()
    }

    /// Whether the caller has gone or the call's time is over.
    ///
    /// An asynchronous handler of an idempotent procedure is dropped at that moment and never sees
    /// it; a blocking one can look and give up, and so can one that has to run to its end.
    pub fn is_cancelled(&self) -> bool {
        self.call.cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn call(&self) -> Arc<Call> {
        Arc::clone(&self.call)
    }

    pub(crate) fn runtime(&self) -> Option<Arc<dyn Runtime>> {
        self.call.runtime.clone()
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
    pub(crate) deadline: OnceLock<Instant>,
    /// What results are held to, where somebody looks.
    pub(crate) results: Option<Arc<Results>>,
    /// What the log says of everything that happens during the call.
    pub(crate) span: CallSpan,
    /// Given back when the last who knows of the call has let go of it.
    pub(crate) _permit: Permit,
}

impl Call {
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let runtime = self.runtime.as_ref()?;
        Some(
            *self
                .deadline
                .get_or_init(|| runtime.now() + self.entry.timeout),
        )
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

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
