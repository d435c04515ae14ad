//! A call, from its permit until the last reference to it is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::callee::Callee;
use super::meta::Meta;
use super::own_limits::OwnLimits;
use super::permit::Permit;
use super::span::CallSpan;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::Known;
use crate::keys::RunningKey;
use crate::report::Report;
use crate::runtime::Runtime;
use crate::wire::Protocol;

/// A call, shared between the code that runs it and its handler.
pub(crate) struct Call {
    pub(crate) meta: Meta,
    pub(crate) extensions: Option<Arc<Extensions>>,
    pub(crate) runtime: Option<Arc<dyn Runtime>>,
    span: CallSpan,
    cancelled: AtomicBool,
    /// Set before the handler starts, if it is known.
    caller: OnceLock<Known>,
    /// Set before the handler starts, if the call has a key.
    key: OnceLock<Arc<RunningKey>>,
    /// Set on first use, so a call that never waits does not read the clock. `None` if the time is
    /// beyond what a clock can represent.
    deadline: OnceLock<Option<Instant>>,
    /// Released when the last reference to the call is dropped.
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
            caller: OnceLock::new(),
            key: OnceLock::new(),
            deadline: OnceLock::new(),
            permit,
        }
    }

    /// Creates a call for unit tests of handlers. Its procedure is a stand-in.
    pub(crate) fn for_tests(extensions: Extensions) -> Self {
        let meta = Meta::bare(Protocol::V2_0, None);
        let permit = Permit::for_tests();
        Self::new(permit, meta, Some(Arc::new(extensions)), None)
    }

    /// Returns the called procedure.
    #[inline]
    pub(crate) fn callee(&self) -> &Arc<Callee> {
        self.permit.callee()
    }

    /// Creates a report of a problem in this call.
    pub(crate) fn report(&self) -> Report<'_> {
        let extensions = self.extensions.as_deref();
        Report::new(self.callee().name(), self.runtime.as_deref()).of(extensions)
    }

    /// Runs `work` in the call's span.
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

    /// Counts the call towards the limits of its procedure, or fails if one of them is reached.
    #[inline]
    pub(crate) fn keep_limits(&self) -> Result<(), Fault> {
        match &self.callee().limits {
            None => Ok(()),
            Some(limits) => self.count(limits),
        }
    }

    #[inline(never)]
    fn count(&self, limits: &OwnLimits) -> Result<(), Fault> {
        // A call without a place does not use up its caller's rate.
        if let Some(gauge) = &limits.gauge
            && !self.permit.take_place(gauge)
        {
            return Err(Fault::protocol(code::BUSY));
        }
        #[cfg(feature = "rate-limits")]
        if let (Some(rate), Some(runtime)) = (&limits.rate, &self.runtime) {
            let address = self.extensions.as_ref().and_then(|it| it.client_address());
            let key = super::rate::Key::of(self.caller(), address);
            rate.admit(&key, runtime.now())
                .map_err(Fault::too_many_requests)?;
        }
        Ok(())
    }

    /// Returns the part of the call that guards and rules see.
    pub(crate) fn info(&self) -> CallInfo<'_> {
        CallInfo::new(
            &self.callee().description,
            self.meta.protocol,
            self.meta.notification,
            self.extensions.as_deref(),
        )
    }

    /// Returns the caller, if it is known.
    pub(crate) fn caller(&self) -> Option<&Known> {
        self.caller.get()
    }

    /// Sets the caller. Called once.
    pub(crate) fn set_caller(&self, caller: Known) {
        // It cannot be set already: the caller is found out once, before the handler starts.
        let _ = self.caller.set(caller);
    }

    /// Returns the key of the call, if it has one.
    pub(crate) fn key(&self) -> Option<&Arc<RunningKey>> {
        self.key.get()
    }

    /// Sets the key of the call. Called once.
    pub(crate) fn set_key(&self, key: Arc<RunningKey>) {
        // It cannot be set already: that happens once, before the handler starts.
        let _ = self.key.set(key);
    }

    /// Returns whether the call has timed out.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let deadline = self.deadline();
        let now = self.runtime.as_ref().map(|runtime| runtime.now());
        now.zip(deadline)
            .is_some_and(|(now, deadline)| now >= deadline)
    }

    /// Returns whether the call has timed out or its caller has disconnected.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Returns whether nobody receives the result.
    pub(crate) fn is_unheard(&self) -> bool {
        self.meta.notification || self.is_cancelled()
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
