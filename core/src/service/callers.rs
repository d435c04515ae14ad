//! The decision whether a call may run: its guards, and its caller, who is found out once for all calls
//! of a request.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;

use super::state::Service;
use crate::call::{Authority, Call};
use crate::caller::Verdict;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::identity::Known;
use crate::panic::Panic;
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// The caller of a request, by the authenticators that have run.
#[derive(Default)]
pub(super) struct Callers {
    asked: Mutex<Vec<(Arc<Authority>, Authenticating)>>,
    /// Set once wrong credentials have been counted. All calls of a request have the same
    /// credentials.
    pub(super) is_counted: AtomicBool,
}

/// The work of an authenticator, shared by the calls that wait for it. It is dropped when the last of
/// them stops waiting.
type Authenticating = Shared<BoxFuture<Verdict>>;

/// Counts wrong credentials. Dropping it without calling it gives the place of the attempt back.
pub(super) type CountAttempt = Box<dyn FnOnce() + Send>;

impl Callers {
    /// Runs the guards of a call, until one rejects it, then the authenticator, if the procedure needs to
    /// know its caller, and then the rules for that caller.
    pub(super) async fn decide(&self, service: &Service, call: &Call) -> Result<(), Rejection> {
        let (callee, info) = (call.callee(), call.info());
        let mut attempt = self.attempt(service, call).await?;
        for guard in &callee.guards {
            if let Err(rejection) = guard.check(&info) {
                if rejection.0.is_unauthorized()
                    && guard.is_shown(&info)
                    && let Some(count) = attempt.take()
                {
                    count();
                    self.is_counted.store(true, Ordering::Relaxed);
                }
                return Err(rejection);
            }
        }
        let Some(access) = &callee.access else {
            return Ok(());
        };
        let verdict = self.ask(&access.authority, call.extensions.as_deref(), attempt);
        if let Some(caller) = access.decide(verdict.await, &info)? {
            call.set_caller(caller);
        }
        Ok(())
    }

    #[cfg(not(feature = "rate-limits"))]
    #[expect(clippy::unused_async, reason = "it waits with the feature")]
    async fn attempt(&self, _: &Service, _: &Call) -> Result<Option<CountAttempt>, Rejection> {
        Ok(None)
    }

    /// Asks an authenticator, which runs once. The attempt keeps its place until the answer is there,
    /// also if the call does not wait for it.
    fn ask(
        &self,
        authority: &Arc<Authority>,
        extensions: Option<&Extensions>,
        attempt: Option<CountAttempt>,
    ) -> Authenticating {
        let mut all = self.lock();
        if let Some((_, asked)) = all.iter().find(|(it, _)| Arc::ptr_eq(it, authority)) {
            return asked.clone();
        }
        let work = AssertUnwindSafe(authority.ask(extensions)).catch_unwind();
        let work: BoxFuture<Verdict> = Box::pin(work.map(|verdict| {
            let verdict = verdict.unwrap_or_else(panicked);
            // Internal errors do not count.
            if let (Err(rejection), Some(count)) = (&verdict, attempt)
                && rejection.0.is_denial()
            {
                count();
            }
            verdict
        }));
        let work = work.shared();
        all.push((Arc::clone(authority), work.clone()));
        work
    }

    /// Returns the caller, if this authenticator has found it out.
    pub(super) fn known(&self, authority: &Arc<Authority>) -> Option<Known> {
        self.asked(authority)?.peek()?.clone().ok().flatten()
    }

    pub(super) fn asked(&self, authority: &Arc<Authority>) -> Option<Authenticating> {
        let all = self.lock();
        let mut asked = all.iter().filter(|(it, _)| Arc::ptr_eq(it, authority));
        asked.next().map(|(_, work)| work.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Arc<Authority>, Authenticating)>> {
        // A panic in an authenticator happens before the list is changed.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the verdict of an authenticator that panicked: only the calls that wait for it fail.
fn panicked(panic: Box<dyn Any + Send>) -> Verdict {
    let cause = Panic::of(panic).into_cause();
    let cause = format_args!("an authenticator panicked: {cause}");
    Err(Rejection(Fault::internal(cause)))
}
