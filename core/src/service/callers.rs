//! Who sent a request: found out once for all of its calls.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;

use crate::call::{Attempt, Authority, Callee};
use crate::caller::Verdict;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::identity::Known;
use crate::panic::Panic;
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// Who sent a request, as far as its calls have asked.
#[derive(Default)]
pub(super) struct Callers {
    asked: Mutex<Vec<(Arc<Authority>, Finding)>>,
    /// Whether wrong credentials have been counted. All calls of a request come with the same ones.
    is_counted: AtomicBool,
}

/// What an authenticator has found, or will find.
#[derive(Clone)]
pub(super) enum Finding {
    Found(Verdict),
    Pending(Pending),
}

/// Shared by the calls that wait for it. When none of them does any more, it is dropped.
pub(super) type Pending = Shared<BoxFuture<Verdict>>;

impl Callers {
    /// Asks an authenticator, unless it was asked before.
    pub(super) fn ask(
        &self,
        authority: &Arc<Authority>,
        extensions: Option<&Extensions>,
        attempt: Option<Attempt>,
    ) -> Finding {
        let mut asked = self.asked();
        if let Some(finding) = finding_of(&asked, authority) {
            return finding.clone();
        }
        let shown = attempt.filter(|_| authority.is_shown(extensions));
        let finding = match shown.map(|attempt| self.permitted(attempt)).transpose() {
            Ok(attempt) => find_out(authority, extensions, attempt),
            Err(fault) => Finding::Found(Err(Arc::new(Rejection(fault)))),
        };
        asked.push((Arc::clone(authority), finding.clone()));
        finding
    }

    /// Asks the guards of a procedure, until one rejects the call.
    pub(super) fn ask_guards(
        &self,
        callee: &Callee,
        info: &CallInfo<'_>,
        attempt: Option<Attempt>,
    ) -> Result<(), Fault> {
        let mut guards = callee.guards.iter();
        let attempt = attempt.filter(|_| guards.clone().any(|guard| guard.is_shown(info)));
        let attempt = attempt.map(|attempt| self.permitted(attempt)).transpose()?;
        guards.try_for_each(|guard| {
            let rejected = guard.check(info).map_err(|rejection| rejection.0);
            rejected.inspect_err(|fault| {
                if let Some(attempt) = &attempt
                    && fault.is_unauthorized()
                    && guard.is_shown(info)
                    && !self.is_counted.swap(true, Ordering::Relaxed)
                {
                    attempt.count();
                }
            })
        })
    }

    /// The same attempt, unless its client has shown too many wrong credentials before this request.
    fn permitted(&self, attempt: Attempt) -> Result<Attempt, Fault> {
        if !self.is_counted.load(Ordering::Relaxed) {
            attempt.check()?;
        }
        Ok(attempt)
    }

    /// Who is calling, if this authenticator was asked and has found it out.
    pub(super) fn known(&self, authority: &Arc<Authority>) -> Option<Known> {
        let verdict = match finding_of(&self.asked(), authority)? {
            Finding::Found(verdict) => verdict.clone(),
            Finding::Pending(pending) => pending.peek()?.clone(),
        };
        verdict.ok().flatten()
    }

    fn asked(&self) -> MutexGuard<'_, Vec<(Arc<Authority>, Finding)>> {
        // An authenticator that panics has stored nothing: the list is as good as before.
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

/// Asks an authenticator, and counts what it turns away.
fn find_out(
    authority: &Authority,
    extensions: Option<&Extensions>,
    attempt: Option<Attempt>,
) -> Finding {
    match authority.ask(extensions) {
        Ok(verdict) => Finding::Found(counted(verdict, attempt.as_ref())),
        Err(work) => {
            let work = guarded(work);
            let Some(attempt) = attempt else {
                return Finding::Pending(work.shared());
            };
            let work = work.map(move |verdict| counted(verdict, Some(&attempt)));
            let work: BoxFuture<Verdict> = Box::pin(work);
            Finding::Pending(work.shared())
        }
    }
}

/// The same verdict. What cannot be found out does not count.
fn counted(verdict: Verdict, attempt: Option<&Attempt>) -> Verdict {
    if let (Err(rejection), Some(attempt)) = (&verdict, attempt)
        && rejection.0.is_denial()
    {
        attempt.count();
    }
    verdict
}

/// The same work. If it panics, the calls that wait for it fail, and nothing else does.
fn guarded(work: BoxFuture<Verdict>) -> BoxFuture<Verdict> {
    let work = AssertUnwindSafe(work).catch_unwind();
    Box::pin(work.map(|outcome| {
        outcome.unwrap_or_else(|panic| {
            let cause = Panic::of(panic).into_cause();
            let fault = Fault::internal(format_args!("an authenticator panicked: {cause}"));
            Err(Arc::new(Rejection(fault)))
        })
    }))
}
