//! One call, from its permit to the last who knows of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::callee::Callee;
use super::meta::Meta;
use super::permit::Permit;
use super::span::CallSpan;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::Attempt;
use crate::runtime::Runtime;

/// One call, shared between whoever runs it and whoever handles it.
pub(crate) struct Call {
    pub(crate) meta: Meta,
    pub(crate) extensions: Option<Arc<Extensions>>,
    pub(crate) runtime: Option<Arc<dyn Runtime>>,
    span: CallSpan,
    cancelled: AtomicBool,
    /// Set when somebody asks first, so that a call that nobody waits for costs no look at a clock.
    /// None where it is later than a clock can say.
    deadline: OnceLock<Option<Instant>>,
    /// Given back when the last who knows of the call has let go of it.
    permit: Permit,
}

impl Call {
    #[inline]
    pub(crate) fn new(
        permit: Permit,
        meta: Meta,
        extensions: Option<Arc<Extensions>>,
        runtime: Option<Arc<dyn Runtime>>,
    ) -> Self {
        Self {
            meta,
            span: CallSpan::new(permit.callee(), meta.protocol, extensions.as_deref()),
            extensions,
            runtime,
            cancelled: AtomicBool::new(false),
            deadline: OnceLock::new(),
            permit,
        }
    }

    /// The called procedure.
    #[inline]
    pub(crate) fn callee(&self) -> &Arc<Callee> {
        self.permit.callee()
    }

    /// Does something that the log is to know as part of the call.
    #[inline]
    pub(crate) fn in_span<T>(&self, work: impl FnOnce() -> T) -> T {
        self.span.in_scope(work)
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        let runtime = self.runtime.as_ref()?;
        let timeout = self.callee().timeout;
        *self
            .deadline
            .get_or_init(|| runtime.now().checked_add(timeout))
    }

    /// Asks the guards that stand before the procedure, until one refuses.
    #[inline]
    pub(crate) fn ask_guards(&self) -> Result<(), Fault> {
        let callee = self.callee();
        if callee.guards.is_empty() {
            return Ok(());
        }
        callee.ask_guards(&Attempt::new(
            &callee.description,
            self.meta.protocol,
            self.meta.notification,
            self.extensions.as_deref(),
        ))
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
        self.meta.notification || self.is_cancelled()
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
