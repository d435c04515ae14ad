//! The caller of a request, found out once for all of its calls.

use std::any::Any;
use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;

use super::state::Service;
use crate::call::{Attempt, Authority, Callee};
use crate::caller::Verdict;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::Known;
use crate::panic::{Panic, caught};
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// The caller of a request, by the authenticators that have run.
#[derive(Default)]
pub(super) struct Callers {
    asked: Mutex<Vec<(Arc<Authority>, Finding)>>,
    /// Set once wrong credentials have been counted. All calls of a request have the same
    /// credentials.
    is_counted: AtomicBool,
}

/// The result of an authenticator, or the work that finds it out.
#[derive(Clone)]
pub(super) enum Finding {
    Found(Verdict),
    Pending(Pending),
}

/// The work of an authenticator, shared by the calls that wait for it. It is dropped when the last
/// of them stops waiting.
pub(super) type Pending = Shared<BoxFuture<Verdict>>;

/// The first thing that a call must wait for.
pub(super) enum Wait {
    /// A place; its credentials are not checked before it has one.
    Place(Option<Attempt>),
    /// The authenticator.
    Caller(Pending),
}

impl Callers {
    /// Returns the attempt that a call makes, if it carries credentials that have not been checked. The
    /// attempt needs a place before they are.
    pub(super) fn attempt(
        &self,
        service: &Service,
        callee: &Callee,
        info: &CallInfo<'_>,
    ) -> Option<Attempt> {
        let extensions = info.credentials.extensions;
        let attempt = service.attempt(extensions)?;
        let is_new = |it: &&Arc<Authority>| finding_of(&self.asked(), it).is_none();
        let authority = callee.authority().filter(is_new);
        let is_shown = callee.guards.iter().any(|guard| guard.is_shown(info))
            || authority.is_some_and(|authority| authority.is_shown(extensions));
        (is_shown && !self.is_counted.load(Ordering::Relaxed)).then_some(attempt)
    }

    /// Runs the guards, until one rejects the call, and then the authenticator. The attempt must have
    /// its place.
    pub(super) fn ask(
        &self,
        callee: &Callee,
        info: &CallInfo<'_>,
        mut attempt: Option<Attempt>,
    ) -> Result<Finding, Fault> {
        for guard in &callee.guards {
            if let Err(Rejection(fault)) = guard.check(info) {
                if fault.is_unauthorized()
                    && guard.is_shown(info)
                    && let Some(attempt) = attempt.take()
                {
                    attempt.spend();
                    self.is_counted.store(true, Ordering::Relaxed);
                }
                return Err(fault);
            }
        }
        let Some(authority) = callee.authority() else {
            return Ok(Finding::Found(Ok(None)));
        };
        let mut asked = self.asked();
        if let Some(finding) = finding_of(&asked, authority) {
            return Ok(finding.clone());
        }
        let finding = find_out(authority, info.credentials.extensions, attempt);
        asked.push((Arc::clone(authority), finding.clone()));
        Ok(finding)
    }

    /// Does the same, beginning with what the call must wait for.
    pub(super) async fn ask_in_turn(
        &self,
        callee: &Callee,
        info: &CallInfo<'_>,
        wait: Wait,
    ) -> Result<Result<Verdict, Fault>, Panic> {
        let mut attempt = match wait {
            Wait::Place(attempt) => attempt,
            Wait::Caller(pending) => return Ok(Ok(pending.await)),
        };
        if let Some(attempt) = &mut attempt
            && let Err(fault) = poll_fn(|cx| attempt.poll_place(cx)).await
        {
            return Ok(Err(fault));
        }
        Ok(match caught(|| self.ask(callee, info, attempt))? {
            Ok(Finding::Found(verdict)) => Ok(verdict),
            Ok(Finding::Pending(pending)) => Ok(pending.await),
            Err(fault) => Err(fault),
        })
    }

    /// Returns the caller, if this authenticator has found it out.
    pub(super) fn known(&self, authority: &Arc<Authority>) -> Option<Known> {
        let verdict = match finding_of(&self.asked(), authority)? {
            Finding::Found(verdict) => verdict.clone(),
            Finding::Pending(pending) => pending.peek()?.clone(),
        };
        verdict.ok().flatten()
    }

    fn asked(&self) -> MutexGuard<'_, Vec<(Arc<Authority>, Finding)>> {
        // A panic in an authenticator happens before the list is changed.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finding_of<'a>(
    asked: &'a [(Arc<Authority>, Finding)],
    authority: &Arc<Authority>,
) -> Option<&'a Finding> {
    let mut found = asked.iter().filter(|(it, _)| Arc::ptr_eq(it, authority));
    found.next().map(|(_, finding)| finding)
}

/// Runs an authenticator. The attempt gives its place back afterwards, also after a panic, unless the
/// credentials were wrong.
fn find_out(
    authority: &Authority,
    extensions: Option<&Extensions>,
    attempt: Option<Attempt>,
) -> Finding {
    match authority.ask(extensions) {
        Ok(verdict) => Finding::Found(counted(verdict, attempt)),
        Err(work) => {
            let work = AssertUnwindSafe(work).catch_unwind();
            let work = work.map(|outcome| counted(outcome.unwrap_or_else(panicked), attempt));
            let work: BoxFuture<Verdict> = Box::pin(work);
            Finding::Pending(work.shared())
        }
    }
}

/// Counts wrong credentials, and returns the verdict unchanged. Internal errors do not count.
fn counted(verdict: Verdict, attempt: Option<Attempt>) -> Verdict {
    if let (Err(rejection), Some(attempt)) = (&verdict, attempt)
        && rejection.0.is_denial()
    {
        attempt.spend();
    }
    verdict
}

/// Returns the verdict of an authenticator that panicked: only the calls that wait for it fail.
fn panicked(panic: Box<dyn Any + Send>) -> Verdict {
    let cause = Panic::of(panic).into_cause();
    let fault = Fault::internal(format_args!("an authenticator panicked: {cause}"));
    Err(Arc::new(Rejection(fault)))
}
