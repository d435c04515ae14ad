//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order, within a limited
//! time.

use std::iter::Enumerate;
use std::sync::Arc;
use std::task::Context;
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::answers::{Answer, Answers};
use super::callable::Callable;
use super::dispatch::Dispatch;
use super::reply::Reply;
use super::requests::{LookedUp, Unanswered, meta};
use super::rest::in_place;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::wire::{Judged, Request};

/// Runs a batch. Entries are independent of each other. Entries that have not started when the
/// caller disconnects or the batch times out are never started.
pub(super) async fn run(mut dispatch: Dispatch<'_>, entries: Vec<Judged>) -> Reply {
    dispatch.names_procedures = dispatch.service.is_observed();
    let bounds = Bounds::new(&dispatch);
    let mut answers = Answers::new(&dispatch, entries.len());
    let mut waiting = Waiting {
        dispatch: &dispatch,
        entries: entries.into_iter().enumerate(),
    };
    let mut running = FuturesUnordered::new();
    loop {
        let at_once = bounds.at_once(running.len());
        while running.len() < at_once {
            let begin = |cx: &mut Context<'_>| bounds.begin(&mut waiting, &mut answers, cx);
            let Some((place, entry, unanswered)) = in_place(begin).await else {
                break;
            };
            let dispatch = &dispatch;
            running.push(async move {
                let reply = dispatch.end_unanswered(unanswered).await;
                (place, entry, Answer::of(reply, dispatch.service))
            });
        }
        // No timer is needed: running calls are awaited in any case, and no other begins meanwhile.
        match running.next().await {
            Some((place, entry, answer)) => answers.put(place, entry.id(), answer),
            None => return Reply::batch(answers.join()),
        }
    }
}

/// The limits of a batch: the number of calls that run at once, and the time within which they must
/// begin.
#[derive(Clone, Copy)]
struct Bounds<'d> {
    dispatch: &'d Dispatch<'d>,
    most: usize,
    /// `None` without a clock, or if a clock cannot represent the time.
    deadline: Option<Instant>,
}

impl<'d> Bounds<'d> {
    fn new(dispatch: &'d Dispatch<'d>) -> Self {
        let limits = dispatch.service.limits();
        let now = dispatch.service.now();
        Self {
            dispatch,
            // A batch belongs to one caller, so it leaves room for others.
            most: limits
                .max_batch_concurrency
                .min(limits.max_concurrent_calls / 4)
                .max(1),
            deadline: now.and_then(|now| now.checked_add(limits.effective_batch_timeout())),
        }
    }

    /// Returns how many calls may run at once, given how many are running. Many batches together
    /// leave room for the calls of others, too: once half of all places are taken, each batch
    /// continues with one call at a time.
    fn at_once(&self, running: usize) -> usize {
        let free = self.dispatch.service.free_half();
        self.most.min(running.saturating_add(free)).max(1)
    }

    /// Begins one entry after another, until one waits for something. The entries before it are not
    /// queued, woken, or moved into a future.
    fn begin(
        &self,
        waiting: &mut Waiting<'_>,
        answers: &mut Answers<'_>,
        cx: &mut Context<'_>,
    ) -> Option<(usize, Judged, Box<Unanswered<'d>>)> {
        loop {
            let (place, entry) = waiting.entries.next()?;
            match self.begin_entry(&entry, cx) {
                Ok(answer) => answers.put(place, entry.id(), answer),
                Err(unanswered) => return Some((place, entry, unanswered)),
            }
        }
    }

    /// Begins the next entry, unless it is too late for it. Returns the rest of the call if it waits
    /// for something.
    #[inline]
    fn begin_entry(
        &self,
        entry: &Judged,
        cx: &mut Context<'_>,
    ) -> Result<Answer, Box<Unanswered<'d>>> {
        let Self { dispatch, .. } = self;
        let (request, callable) = match dispatch.look_up(entry, None) {
            LookedUp::Callable(request, callable) => (request, callable),
            LookedUp::Settled(reply) => {
                let taken = Some(Duration::ZERO);
                return Ok(Answer { reply, taken });
            }
        };
        let begun = dispatch.service.begin();
        let reply = if self.is_over() {
            self.too_late(request, callable, begun)
        } else {
            dispatch.begin_request(request, callable, begun, cx)?
        };
        Ok(Answer::of(reply, dispatch.service))
    }

    fn is_over(&self) -> bool {
        let Some(deadline) = self.deadline else {
            return false;
        };
        let now = self.dispatch.service.now();
        now.is_some_and(|now| now >= deadline)
    }

    /// Creates the answer to a call that did not begin, because the time of its batch was over.
    fn too_late(&self, request: &Request, callable: &Callable, begun: Option<Instant>) -> Reply {
        if request.notification {
            // There is nobody else to report it.
            let procedure = callable.callee.name();
            let text = "a notification timed out before it started: its batch ran out of time";
            tracing::warn!(procedure, "{text}");
        }
        let id = self.dispatch.part(request.id.as_ref());
        let reply = Reply::fault(meta(request, begun), id, &Fault::not_started());
        reply.of(Arc::clone(&callable.callee))
    }
}

/// The entries that have not begun. Dropping them with the batch reports them as cancelled.
struct Waiting<'d> {
    dispatch: &'d Dispatch<'d>,
    entries: Enumerate<IntoIter<Judged>>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let service = self.dispatch.service;
        if !service.is_observed() {
            return;
        }
        for (_, entry) in self.entries.by_ref() {
            let cancelled = match self.dispatch.look_up(&entry, None) {
                LookedUp::Callable(request, callable) => silence(request, callable),
                LookedUp::Settled(reply) => reply,
            };
            service.tell(&cancelled, Ending::Cancelled, None, Some(self.dispatch));
        }
    }
}

/// Creates the record of a call that never began.
fn silence(request: &Request, callable: &Callable) -> Reply {
    Reply::silence(meta(request, None), Some(Arc::clone(&callable.callee)))
}
