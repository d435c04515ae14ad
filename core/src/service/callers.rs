//! Who sent a request: found out once for all of its calls.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;

use crate::call::Authority;
use crate::caller::Verdict;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::identity::Known;
use crate::panic::Panic;
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// Who sent a request, as far as its calls have asked.
#[derive(Default)]
pub(super) struct Callers(Mutex<Vec<(Arc<Authority>, Finding)>>);

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
    ) -> Finding {
        let mut asked = self.asked();
        if let Some(finding) = finding_of(&asked, authority) {
            return finding.clone();
        }
        let finding = match authority.ask(extensions) {
            Ok(verdict) => Finding::Found(verdict),
            Err(work) => Finding::Pending(guarded(work).shared()),
        };
        asked.push((Arc::clone(authority), finding.clone()));
        finding
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finding_of<'a>(
    asked: &'a [(Arc<Authority>, Finding)],
    authority: &Arc<Authority>,
) -> Option<&'a Finding> {
    let mut found = asked.iter().filter(|(it, _)| Arc::ptr_eq(it, authority));
    found.next().map(|(_, finding)| finding)
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
