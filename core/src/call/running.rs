//! A call, from when it gets its permit until the last reference to it is dropped.
//!
//! A handler may outlive its caller, so both share the call, and dropping the last reference
//! releases the permit. Driving a call to its end is the business of `service/running.rs`.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::Context;
use std::time::Instant;

use super::callee::{Callee, OwnLimits};
use super::span::CallSpan;
use crate::code;
use crate::credentials::Credentials;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::SharedIdentity;
use crate::incident::Incident;
#[cfg(feature = "keys")]
use crate::keys::RunningKey;
use crate::panic::{Panic, caught, lock};
use crate::report::Report;
use crate::response_field::ResponseField;
use crate::runtime::{BoxFuture, Runtime};
use crate::wire::Protocol;

/// The properties of a call that are independent of its procedure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meta {
    pub(crate) protocol: Protocol,
    /// Set if the call is a notification.
    pub(crate) notification: bool,
    /// Set if the result is that of a tool, which has to match the tool's `outputSchema`.
    pub(crate) is_tool: bool,
    /// The size of the parameters as sent, in bytes.
    pub(crate) request_bytes: usize,
    /// The moment at which the call started, if its duration is needed.
    pub(crate) begun: Option<Instant>,
}

impl Meta {
    /// Creates the value for a request whose parameters are absent or were not read.
    pub(crate) fn bare(protocol: Protocol, begun: Option<Instant>) -> Self {
        Self {
            protocol,
            notification: false,
            is_tool: false,
            request_bytes: 0,
            begun,
        }
    }
}

/// The handler has not started yet.
const NOT_STARTED: u8 = 0;
const HAS_STARTED: u8 = 1;
/// The handler will never start.
const GIVEN_UP: u8 = 2;

/// A call, shared between the code that runs it and its handler.
pub(crate) struct Call {
    pub(crate) meta: Meta,
    pub(crate) extensions: Option<Arc<Extensions>>,
    pub(crate) runtime: Option<Arc<dyn Runtime>>,
    callee: Arc<Callee>,
    span: CallSpan,
    progress: AtomicU8,
    cancelled: AtomicBool,
    /// Set while the gauge of the service counts the call.
    is_counted: AtomicBool,
    /// Set if the procedure's own gauge counts the call, too.
    is_counted_by_procedure: AtomicBool,
    /// Set before the handler starts, if it is known.
    caller: OnceLock<SharedIdentity>,
    /// Set before the handler starts, if the call has a key.
    #[cfg(feature = "keys")]
    pub(crate) key: OnceLock<Arc<RunningKey>>,
    /// The fields that the handler has added to the response.
    fields: Mutex<Vec<ResponseField>>,
    /// Set on first use, so a call that never waits does not read the clock. `None` if the time is
    /// beyond what a clock can represent.
    deadline: OnceLock<Option<Instant>>,
}

impl Call {
    /// Creates a call that takes a permit to run, if its procedure needs one; `None` if there is none.
    #[inline]
    pub(crate) fn new(
        callee: &Arc<Callee>,
        meta: Meta,
        extensions: Option<Arc<Extensions>>,
        runtime: Option<Arc<dyn Runtime>>,
    ) -> Option<Arc<Self>> {
        let is_counted = !callee.is_always_admitted;
        if is_counted && !callee.gauge.enter() {
            return None;
        }
        let call = Self::with_permit(callee, meta, extensions, runtime, is_counted);
        Some(Arc::new(call))
    }

    /// Creates a call that takes no permit.
    pub(crate) fn uncounted(
        callee: &Arc<Callee>,
        meta: Meta,
        extensions: Option<Arc<Extensions>>,
        runtime: Option<Arc<dyn Runtime>>,
    ) -> Self {
        Self::with_permit(callee, meta, extensions, runtime, false)
    }

    /// Creates a call that has taken a permit if it `is_counted`.
    #[inline]
    fn with_permit(
        callee: &Arc<Callee>,
        meta: Meta,
        extensions: Option<Arc<Extensions>>,
        runtime: Option<Arc<dyn Runtime>>,
        is_counted: bool,
    ) -> Self {
        Self {
            meta,
            span: CallSpan::new(callee, meta.protocol, extensions.as_deref()),
            callee: Arc::clone(callee),
            extensions,
            runtime,
            progress: AtomicU8::new(NOT_STARTED),
            cancelled: AtomicBool::new(false),
            is_counted: AtomicBool::new(is_counted),
            is_counted_by_procedure: AtomicBool::new(false),
            caller: OnceLock::new(),
            #[cfg(feature = "keys")]
            key: OnceLock::new(),
            fields: Mutex::default(),
            deadline: OnceLock::new(),
        }
    }

    /// Creates a call for unit tests of handlers. Its procedure is a stand-in.
    pub(crate) fn for_tests(extensions: Extensions) -> Self {
        let meta = Meta::bare(Protocol::V2_0, None);
        Self::uncounted(
            &Arc::new(Callee::for_tests()),
            meta,
            Some(Arc::new(extensions)),
            None,
        )
    }

    /// Returns whether the caller has the result already, so that it gets none.
    pub(crate) fn is_known_result(&self) -> bool {
        self.extensions
            .as_ref()
            .and_then(|extensions| extensions.result_version())
            .is_some_and(|version| version.is_known)
    }

    /// Returns the called procedure.
    #[inline]
    pub(crate) fn callee(&self) -> &Arc<Callee> {
        &self.callee
    }

    /// Counts the call towards the limits of its procedure, or fails if one of them is reached.
    #[inline]
    pub(crate) fn keep_limits(&self) -> Result<(), Fault> {
        match &self.callee.limits {
            None => Ok(()),
            Some(limits) => self.count(limits),
        }
    }

    #[inline(never)]
    fn count(&self, limits: &OwnLimits) -> Result<(), Fault> {
        // A call without a permit does not use up its caller's rate.
        if let Some(gauge) = &limits.gauge {
            if !gauge.enter() {
                return Err(Fault::protocol(code::BUSY));
            }
            self.is_counted_by_procedure.store(true, Ordering::Relaxed);
        }
        #[cfg(feature = "rate-limits")]
        if let (Some(rate), Some(runtime)) = (&limits.rate, &self.runtime) {
            let address = self
                .extensions
                .as_ref()
                .and_then(|extensions| extensions.client_address());
            rate.count(self.caller(), address, runtime.now())?;
        }
        Ok(())
    }

    /// Gives back the permit of the service before the call is dropped: a subscription that has been answered has one
    /// of its own. The procedure's own limit still counts it.
    pub(crate) fn release(&self) {
        if self.is_counted.swap(false, Ordering::Relaxed) {
            self.callee.gauge.leave();
        }
    }

    /// Declares that the handler starts now.
    #[inline]
    pub(crate) fn starts(&self) {
        self.progress.store(HAS_STARTED, Ordering::Relaxed);
    }

    /// Declares that the handler waits for something before it [begins](Self::begins).
    pub(crate) fn waits(&self) {
        self.progress.store(NOT_STARTED, Ordering::Relaxed);
    }

    /// Declares that the handler starts after it has waited. Returns false if it was given up.
    pub(crate) fn begins(&self) -> bool {
        self.advance(HAS_STARTED) == Ok(NOT_STARTED)
    }

    /// Returns whether the handler has not started; if so, it never will.
    pub(crate) fn give_up(&self) -> bool {
        self.advance(GIVEN_UP) != Err(HAS_STARTED)
    }

    fn advance(&self, to: u8) -> Result<u8, u8> {
        self.progress
            .compare_exchange(NOT_STARTED, to, Ordering::AcqRel, Ordering::Acquire)
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        let runtime = self.runtime.as_ref()?;
        *self
            .deadline
            .get_or_init(|| runtime.now().checked_add(self.callee.timeout))
    }

    /// Returns whether the call has timed out.
    pub(crate) fn is_out_of_time(&self) -> bool {
        match (&self.runtime, self.deadline()) {
            (Some(runtime), Some(deadline)) => runtime.now() >= deadline,
            _ => false,
        }
    }

    /// Returns whether the call has timed out, and arranges a wake-up for the moment when it does.
    pub(crate) fn poll_timeout(
        &self,
        timer: &mut Option<BoxFuture<()>>,
        cx: &mut Context<'_>,
    ) -> bool {
        let (Some(runtime), Some(deadline)) = (&self.runtime, self.deadline()) else {
            return false;
        };
        timer
            .get_or_insert_with(|| runtime.sleep(deadline.saturating_duration_since(runtime.now())))
            .as_mut()
            .poll(cx)
            .is_ready()
    }

    /// Returns the error of a call whose time is over. Its handler does not start any more.
    pub(crate) fn time_out(&self) -> Fault {
        if !self.give_up() {
            return Fault::protocol(code::TIMED_OUT);
        }
        if self.is_unheard() {
            // No response reports it.
            let procedure = self.callee.name();
            let text = "a call that no caller waits for timed out before it started";
            self.in_span(|| tracing::warn!(procedure, "{text}"));
        }
        Fault::not_started()
    }

    /// Returns whether the call has timed out or its caller has disconnected.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Returns whether the result is not sent.
    fn is_unheard(&self) -> bool {
        self.meta.notification || self.is_cancelled()
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns the part of the call that guards and rules see.
    pub(crate) fn info(&self) -> CallInfo<'_> {
        CallInfo {
            procedure: &self.callee.description,
            protocol: self.meta.protocol,
            notification: self.meta.notification,
            credentials: Credentials::new(self.extensions.as_ref()),
        }
    }

    /// Returns the caller, if it is known.
    pub(crate) fn caller(&self) -> Option<&SharedIdentity> {
        self.caller.get()
    }

    /// Sets the caller. Called once.
    pub(crate) fn set_caller(&self, caller: SharedIdentity) {
        // It cannot be set already: the caller is found out once, before the handler starts.
        let _ = self.caller.set(caller);
    }

    /// Adds a field to the response.
    pub(crate) fn add_field(&self, field: ResponseField) {
        lock(&self.fields).push(field);
    }

    /// Removes the fields that the handler has added so far, and returns them in order.
    pub(crate) fn take_fields(&self) -> Vec<ResponseField> {
        std::mem::take(&mut *lock(&self.fields))
    }

    /// Runs `work` in the call's span.
    #[inline]
    pub(crate) fn in_span<T>(&self, work: impl FnOnce() -> T) -> T {
        self.span.in_scope(work)
    }

    /// Runs user code in the call's span. A panic becomes an error.
    #[inline]
    pub(crate) fn attempt<T>(&self, work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
        caught(|| self.in_span(work))
            .unwrap_or_else(|panic| Err(self.panicked("a procedure", panic)))
    }

    /// Lets the runtime, if there is one, run work in the background.
    pub(crate) fn hand_over(&self, work: BoxFuture<()>) {
        if let Some(runtime) = &self.runtime
            && let Err(panic) = caught(|| runtime.spawn(work))
        {
            self.in_span(|| self.report().panicked("the runtime", panic));
        }
    }

    /// Creates a report of a problem in this call.
    pub(crate) fn report(&self) -> Report<'_> {
        Report::new(self.callee.name(), self.runtime.as_deref())
            .with_request_id(self.extensions.as_deref())
    }

    /// Creates a report with an incident ID: that of the request, or a new one.
    fn incident(&self) -> (Report<'_>, Incident) {
        let incident = self
            .extensions
            .as_deref()
            .and_then(Extensions::take_incident)
            .unwrap_or_else(|| self.callee.incidents.next(self.runtime.as_deref()));
        let report = Report {
            incident: Some(incident),
            ..self.report()
        };
        (report, incident)
    }

    /// Reports a panic. Returns the error for the caller.
    #[cold]
    pub(crate) fn panicked(&self, who: &str, panic: Panic) -> Fault {
        let (report, incident) = self.incident();
        self.in_span(|| report.panicked(who, panic));
        Fault::incident(incident)
    }

    /// Turns an error into one that the description allows, and logs what the caller must not see.
    #[cold]
    pub(crate) fn publish(&self, fault: Fault) -> Fault {
        if fault.cause().is_none() && self.callee.may_answer(&fault) {
            return fault;
        }
        let (report, incident) = self.incident();
        let code = fault.code();
        let message = fault.message();
        self.in_span(|| match fault.cause() {
            Some(cause) => report.failed(cause),
            None if code::RESERVED.contains(&code) => {
                report.misused("a procedure returned a reserved error code", code, message);
            }
            None => report.misused(
                "a procedure returned an undeclared error code",
                code,
                message,
            ),
        });
        fault.replaced(Fault::incident(incident))
    }
}

impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        if *self.is_counted.get_mut() {
            self.callee.gauge.leave();
        }
        if *self.is_counted_by_procedure.get_mut()
            && let Some(limits) = &self.callee.limits
            && let Some(gauge) = &limits.gauge
        {
            gauge.leave();
        }
    }
}
