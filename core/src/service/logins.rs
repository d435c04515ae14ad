//! Limits how often a client may present wrong credentials to a service.
//!
//! Guessing is limited per client, before anything looks at the credentials. The counting is in
//! [`rates`](crate::rates).

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::builder::ServiceBuilder;
use super::credential_checks::{CountAttempt, CredentialChecks};
use super::state::Service;
use crate::call::Call;
use crate::rates::{Attempts, LoginAttempt};
use crate::rejection::Rejection;

#[cfg(feature = "rate-limits")]
impl<S> ServiceBuilder<S> {
    /// Limits how often a client may show wrong credentials. Above the limit, its credentials are not
    /// checked: calls with credentials get -32008, with the seconds to wait in `data.retryAfter`.
    ///
    /// A request takes a permit before its credentials are checked, and gives it back after the check
    /// unless they were wrong. While all permits of a client are taken, its other requests wait, within
    /// their timeout. A check that has begun runs to its end, and keeps its permit until then, even if
    /// its caller has disconnected or its call has timed out. So an authenticator that asks another
    /// service needs its own timeout.
    ///
    /// A request counts once if an authenticator rejects its credentials, if it has credentials in one of
    /// the fields that a guard [declares](crate::Guard::reads) and the guard returns
    /// [`unauthorized`](Rejection::unauthorized), or if a credential is there twice. Requests without
    /// credentials and requests with valid credentials do not count. Credentials in `Authorization` of an
    /// authentication scheme that no guard or authenticator describes count as absent.
    ///
    /// Clients are told apart by their [address](crate::Extensions::client_address): for IPv6, by its
    /// /64 network. Clients on the same machine [without one](crate::Extensions::set_client_local)
    /// count together. Calls in process are not limited, and neither is a service without a
    /// [runtime](crate::Runtime), which has no clock. Services that [extend](Service::extend) this
    /// one share its counts.
    ///
    /// There is no limit by default: behind a proxy that the transport does not trust, all clients
    /// have the same address, and one of them could keep out the others.
    ///
    /// ```
    /// # use std::borrow::Cow;
    /// # use std::time::Duration;
    /// # use docent::{Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Service};
    /// # struct User;
    /// # impl Identity for User { fn id(&self) -> Cow<'_, str> { Cow::from("user") } }
    /// # struct Everyone;
    /// # impl Authenticator for Everyone {
    /// #     type Identity = User;
    /// #     fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> { Authentication::ready(Some(User)) }
    /// # }
    /// let service = Service::builder("vault", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c25")
    ///     .authenticate(Everyone)
    ///     .failed_logins(10, Duration::from_secs(60))
    ///     .procedure(Procedure::sync("open", |_: Cx<(), User>, (): ()| Ok::<_, Fault>(())))
    ///     .build()?;
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn failed_logins(mut self, most: u32, per: Duration) -> Self {
        self.registration.gates.attempts = Some(Arc::new(Attempts::new(most, per)));
        self
    }
}

impl CredentialChecks {
    /// Waits for a permit before credentials are checked, if the service limits how often a client may
    /// present wrong ones, and the call carries credentials that have not been checked. Ambiguous ones are
    /// wrong, and counted as such.
    pub(super) async fn attempt(
        &self,
        service: &Service,
        call: &Call,
        is_ambiguous: bool,
    ) -> Result<Option<CountAttempt>, Rejection> {
        let callee = call.callee();
        let credentials = call.info().credentials;
        let extensions = call.extensions.as_deref();
        let attempts = service.inner.frame.registration.gates.attempts.as_ref();
        let Some(mut attempt) = LoginAttempt::new(attempts, extensions, service.runtime.as_ref())
        else {
            return Ok(None);
        };
        let authenticator = callee
            .authenticator()
            .filter(|authenticator| !self.is_asked(authenticator));
        let has_credentials = is_ambiguous
            || callee
                .guards
                .iter()
                .any(|guard| guard.is_presented(&credentials))
            || authenticator.is_some_and(|authenticator| authenticator.is_presented(&credentials));
        if !has_credentials || self.is_counted.load(Ordering::Relaxed) {
            return Ok(None);
        }
        poll_fn(|cx| attempt.poll_permit(cx))
            .await
            .map_err(Rejection)?;
        Ok(Some(Box::new(move || attempt.spend())))
    }
}
