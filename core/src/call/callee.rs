//! A procedure as its calls see it.
//!
//! It is what remains of a registration once a service is built, without the handler: calls must be
//! able to end, and to be reported, without naming its types.

use std::sync::Arc;
use std::time::Duration;

use docent_describe::{ErrorDescription, ProcedureDescription};

use super::access::{Access, RegisteredAuthenticator};
use super::gauge::Gauge;
use crate::code;
use crate::credentials::Credentials;
use crate::fault::Fault;
use crate::guard::RegisteredGuard;
use crate::incident::Incidents;
#[cfg(feature = "rate-limits")]
use crate::rates::Rate;

/// The name that observers and the log use for a call that names no known procedure.
pub(crate) const UNKNOWN_PROCEDURE: &str = "unknown";

/// The properties of a procedure that its calls need. The service decides how to call it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) description: ProcedureDescription,
    /// Set if there is no such procedure. This one has the guards of `rpc.describe`, but not its
    /// name.
    pub(crate) is_unknown: bool,
    /// Set if calls are never refused for load, because they only give something back.
    pub(crate) is_always_admitted: bool,
    pub(crate) timeout: Duration,
    pub(crate) cache_for: Option<Duration>,
    pub(crate) shared_cache: bool,
    /// Set if results have a type whose values always match its schema.
    pub(crate) has_plain_result: bool,
    pub(crate) guards: Box<[RegisteredGuard]>,
    /// `None` if the procedure does not need to know its caller.
    pub(crate) access: Option<Access>,
    /// `None` if the procedure has no limits of its own.
    pub(crate) limits: Option<Arc<OwnLimits>>,
    /// The gauge and the incidents belong to the whole service. They are here so that a call need not store them.
    pub(crate) gauge: Arc<Gauge>,
    pub(crate) incidents: Arc<Incidents>,
}

/// The limits on the calls of one procedure, in addition to those of its service.
pub(crate) struct OwnLimits {
    /// `None` if only the service limits the number of calls that run at the same time.
    pub(crate) gauge: Option<Gauge>,
    #[cfg(feature = "rate-limits")]
    pub(crate) rate: Option<Rate>,
}

impl Callee {
    /// Creates a procedure without guards, limits and caches.
    pub(crate) fn new(
        description: ProcedureDescription,
        timeout: Duration,
        gauge: Arc<Gauge>,
        incidents: Arc<Incidents>,
    ) -> Self {
        Self {
            description,
            is_unknown: false,
            is_always_admitted: false,
            timeout,
            cache_for: None,
            shared_cache: false,
            has_plain_result: false,
            guards: Box::default(),
            access: None,
            limits: None,
            gauge,
            incidents,
        }
    }

    /// Returns a procedure named `test` without guards.
    pub(super) fn for_tests() -> Self {
        let mut description = ProcedureDescription::new("test");
        description.errors_open = true;
        Self::new(
            description,
            Duration::MAX,
            Arc::new(Gauge::new(usize::MAX)),
            Arc::default(),
        )
    }

    /// Returns the name of the procedure for observers and the log.
    pub(crate) fn name(&self) -> &str {
        if self.is_unknown {
            UNKNOWN_PROCEDURE
        } else {
            &self.description.name
        }
    }

    /// Returns the authenticator, if the procedure needs to know its caller.
    pub(crate) fn authenticator(&self) -> Option<&Arc<RegisteredAuthenticator>> {
        self.access.as_ref().map(|access| &access.authenticator)
    }

    /// Returns whether a call has to wait for a decision whether it may run.
    #[inline]
    pub(crate) fn has_conditions(&self) -> bool {
        !self.guards.is_empty() || self.access.is_some()
    }

    /// Returns whether the procedure is closed to some callers.
    pub(crate) fn is_guarded(&self) -> bool {
        !self.guards.is_empty() || self.access.as_ref().is_some_and(|access| access.required)
    }

    /// Returns the challenge for credentials that are there twice, if a guard or the authenticator may read
    /// them: that of the authenticator, or of the first guard that has one. It is empty if none has.
    pub(crate) fn ambiguity(&self, credentials: &Credentials<'_>) -> Option<&str> {
        let mut challenge = self
            .authenticator()
            .and_then(|authenticator| authenticator.ambiguity(credentials));
        for guard in &self.guards {
            if let None | Some("") = challenge {
                challenge = guard.ambiguity(credentials).or(challenge);
            }
        }
        challenge
    }

    /// Returns whether a call yields items after its response.
    #[inline]
    pub(crate) fn is_subscription(&self) -> bool {
        self.description.subscription.is_some()
    }

    /// Returns whether the result may depend on the caller.
    pub(crate) fn is_personal(&self) -> bool {
        !self.shared_cache && self.has_conditions()
    }

    /// Returns the fields that the guards and the authenticator declare to read.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        self.guards
            .iter()
            .filter_map(RegisteredGuard::reads)
            .chain(
                self.authenticator()
                    .and_then(|authenticator| authenticator.reads()),
            )
            .flatten()
            .map(String::as_str)
    }

    /// Returns whether the procedure or one of its guards may return this fault: the description
    /// declares it, or it applies to every procedure.
    pub(crate) fn may_answer(&self, fault: &Fault) -> bool {
        let code = fault.code();
        if fault.is_protocols_own() {
            return true;
        }
        if code::RESERVED.contains(&code) {
            let open = self.description.errors_open || fault.is_rejection();
            return open && code::is_implementation_defined(code);
        }
        self.description.errors_open || self.declared(code).is_some()
    }

    /// Returns the declaration of an error.
    pub(crate) fn declared(&self, code: i64) -> Option<&ErrorDescription> {
        self.description
            .errors
            .iter()
            .find(|error| error.code == code)
    }
}
