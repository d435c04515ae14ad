//! The decision whether a call may run: its guards, and its caller, who is found out once for all calls
//! of a request, or of a connection whose carrier asks for that at its beginning.
//!
//! A check of credentials is a shared future, because the calls of a batch wait for it together. It is not bound to the
//! call that began it: that one may time out while the others wait.

use std::any::Any;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use futures_util::FutureExt;
use futures_util::future::Shared;

use super::state::Service;
use crate::call::{Call, RegisteredAuthenticator};
use crate::caller::Verdict;
use crate::credentials::Credentials;
use crate::identity::SharedIdentity;
use crate::panic::{Panic, lock};
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// The checks of the credentials of a request or of a connection, one for each authenticator that has been asked.
#[derive(Default)]
pub(crate) struct CredentialChecks {
    /// The checks that have begun. A panic in an authenticator happens before the list is changed.
    checks: Mutex<Vec<Arc<CredentialCheck>>>,
    /// Set once wrong credentials have been counted. All calls have the same credentials.
    pub(super) is_counted: AtomicBool,
    /// True for a connection, which may last longer than the credentials of its beginning.
    is_of_connection: bool,
}

/// The check of credentials by an authenticator, which all calls with them share.
struct CredentialCheck {
    authenticator: Arc<RegisteredAuthenticator>,
    verdict: Shared<BoxFuture<Verdict>>,
    /// Set if the check has a permit among those that may find wrong credentials.
    has_permit: bool,
    /// Set once the runtime runs the check to its end.
    is_handed_over: AtomicBool,
}

/// Counts wrong credentials. Dropping it without calling it gives the permit of the attempt back.
pub(super) type CountAttempt = Box<dyn FnOnce() + Send>;

impl CredentialChecks {
    /// Creates the checks of a connection, none of which has begun.
    pub(super) fn of_connection() -> Self {
        Self {
            is_of_connection: true,
            ..Self::default()
        }
    }

    /// Rejects credentials that are there twice, before anything looks at them. Then runs the guards of a
    /// call, until one rejects it, then the authenticator, if the procedure needs to know its caller, and
    /// then the rules for that caller.
    pub(super) async fn decide(
        &self,
        service: &Service,
        call: &Arc<Call>,
    ) -> Result<(), Rejection> {
        let attempt = self.begin(service, call).await?;
        let callee = call.callee();
        let info = call.info();
        for guard in &callee.guards {
            if let Err(rejection) = guard.check(&info) {
                if rejection.0.is_unauthorized() && guard.is_presented(&info.credentials) {
                    self.count(attempt);
                }
                return Err(rejection);
            }
        }
        let Some(access) = &callee.access else {
            return Ok(());
        };
        let verdict = self.identify(&access.authenticator, call, attempt).await;
        if self.is_of_connection
            && let Ok(Some(caller)) = &verdict
            && let Some(end) = caller.valid_until()
            && end <= SystemTime::now()
        {
            return Err(access.ended());
        }
        if let Some(caller) = access.decide(verdict, &info)? {
            call.set_caller(caller);
        }
        Ok(())
    }

    /// Runs the authenticator of a procedure, and neither its guards nor its rules. The caller may be unknown, but its
    /// credentials must not be wrong.
    pub(super) async fn authenticate(
        &self,
        service: &Service,
        call: &Arc<Call>,
    ) -> Result<(), Rejection> {
        let attempt = self.begin(service, call).await?;
        let Some(authenticator) = call.callee().authenticator() else {
            return Ok(());
        };
        self.identify(authenticator, call, attempt).await.map(drop)
    }

    /// Takes a permit to look at the credentials of a call. Rejects those that are there twice, before anything looks at
    /// them.
    async fn begin(
        &self,
        service: &Service,
        call: &Arc<Call>,
    ) -> Result<Option<CountAttempt>, Rejection> {
        let ambiguity = call.callee().ambiguity(&call.info().credentials);
        let attempt = self.attempt(service, call, ambiguity.is_some()).await?;
        let Some(challenge) = ambiguity else {
            return Ok(attempt);
        };
        self.count(attempt);
        Err(Rejection::challenged(challenge.to_owned()))
    }

    /// Waits for the verdict of an authenticator.
    async fn identify(
        &self,
        authenticator: &Arc<RegisteredAuthenticator>,
        call: &Arc<Call>,
        attempt: Option<CountAttempt>,
    ) -> Verdict {
        let check = self.check(authenticator, call.info().credentials, attempt);
        let awaited = AwaitedCheck { call, check };
        awaited.check.verdict.clone().await
    }

    #[cfg(not(feature = "rate-limits"))]
    #[expect(clippy::unused_async, reason = "it waits with the feature")]
    async fn attempt(
        &self,
        _: &Service,
        _: &Call,
        _: bool,
    ) -> Result<Option<CountAttempt>, Rejection> {
        Ok(None)
    }

    /// Counts wrong credentials, once for all calls of the request.
    fn count(&self, attempt: Option<CountAttempt>) {
        if let Some(count) = attempt
            && !self.is_counted.swap(true, Ordering::Relaxed)
        {
            count();
        }
    }

    /// Returns the check by an authenticator, which begins once. The attempt keeps its permit until the
    /// check ends.
    fn check(
        &self,
        authenticator: &Arc<RegisteredAuthenticator>,
        credentials: Credentials<'_>,
        attempt: Option<CountAttempt>,
    ) -> Arc<CredentialCheck> {
        let mut checks = lock(&self.checks);
        if let Some(check) = checks.iter().find(|check| check.is_by(authenticator)) {
            return Arc::clone(check);
        }
        let has_permit = attempt.is_some();
        let asking = AssertUnwindSafe(authenticator.ask(credentials)).catch_unwind();
        let work: BoxFuture<Verdict> = Box::pin(async move {
            let verdict = asking.await.unwrap_or_else(panicked);
            // Internal errors do not count.
            if let (Err(rejection), Some(count)) = (&verdict, attempt)
                && rejection.0.is_rejection()
            {
                count();
            }
            verdict
        });
        let check = Arc::new(CredentialCheck {
            authenticator: Arc::clone(authenticator),
            verdict: work.shared(),
            has_permit,
            is_handed_over: AtomicBool::new(false),
        });
        checks.push(Arc::clone(&check));
        check
    }

    /// Returns the caller, if this authenticator has found it out.
    pub(super) fn known(
        &self,
        authenticator: &Arc<RegisteredAuthenticator>,
    ) -> Option<SharedIdentity> {
        lock(&self.checks)
            .iter()
            .find(|check| check.is_by(authenticator))?
            .caller()
    }

    /// Returns the moment at which the first credentials end.
    pub(crate) fn valid_until(&self) -> Option<SystemTime> {
        lock(&self.checks)
            .iter()
            .filter_map(|check| check.caller()?.valid_until())
            .min()
    }

    /// Returns whether this authenticator has been asked.
    #[cfg(feature = "rate-limits")]
    pub(super) fn is_asked(&self, authenticator: &Arc<RegisteredAuthenticator>) -> bool {
        lock(&self.checks)
            .iter()
            .any(|check| check.is_by(authenticator))
    }
}

impl CredentialCheck {
    fn is_by(&self, authenticator: &Arc<RegisteredAuthenticator>) -> bool {
        Arc::ptr_eq(&self.authenticator, authenticator)
    }

    /// Returns the caller, if the check has found it out.
    fn caller(&self) -> Option<SharedIdentity> {
        self.verdict.peek()?.clone().ok().flatten()
    }
}

/// The check that a call waits for.
///
/// If the call stops waiting, because its caller has disconnected or its time is over, the runtime runs a
/// check with a permit to its end. Otherwise callers that hang up would have any number of credentials
/// checked, and none of them counted.
struct AwaitedCheck<'c> {
    call: &'c Arc<Call>,
    check: Arc<CredentialCheck>,
}

impl Drop for AwaitedCheck<'_> {
    fn drop(&mut self) {
        let Self { call, check } = self;
        let is_done = !check.has_permit || check.verdict.peek().is_some();
        if is_done || check.is_handed_over.swap(true, Ordering::Relaxed) {
            return;
        }
        let rest = run_to_end(Arc::clone(call), check.verdict.clone());
        call.hand_over(Box::pin(rest));
    }
}

/// Runs a check that no call waits for. The call keeps its permit, so it still counts as running.
async fn run_to_end(call: Arc<Call>, mut verdict: Shared<BoxFuture<Verdict>>) {
    let _ = poll_fn(|cx| call.in_span(|| verdict.poll_unpin(cx))).await;
}

/// Returns the verdict of an authenticator that panicked: only the calls that wait for it fail.
fn panicked(panic: Box<dyn Any + Send>) -> Verdict {
    let cause = Panic::new(panic).into_cause();
    Err(Rejection::internal(format_args!(
        "an authenticator panicked: {cause}"
    )))
}
