//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order, for a bounded time.

use std::iter::Enumerate;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::answers::{Answer, Answers};
use super::callable::Callable;
use super::dispatch::Dispatch;
use super::reply::Reply;
use super::requests::{LookedUp, meta};
use super::rest::{Rest, in_place};
use crate::call::Started;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::wire::{Judged, Request};

/// Runs a batch. Entries are independent of each other. Entries that have not started when the
/// caller disconnects or the batch times out are never started.
pub(super) async fn run(dispatch: Dispatch<'_>, entries: Vec<Judged>) -> Reply {
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
            let Some((place, entry)) = waiting.entries.next() else {
                break;
            };
            let id = entry.id().cloned();
            let (reply, taken) = match dispatch.look_up(&entry, None) {
                LookedUp::Settled(reply) => (reply, Some(Duration::ZERO)),
                LookedUp::Callable(request, callable) => {
                    let begun = dispatch.service.begin();
                    match bounds.begin(request, callable, begun).await {
                        Ok(reply) => (reply, dispatch.service.since(begun)),
                        Err(rest) => {
                            let (dispatch, request) = (&dispatch, request.clone());
                            running.push(async move {
                                let ended = dispatch.end_request(rest, &request, callable, begun);
                                let reply = ended.await;
                                let taken = dispatch.service.since(begun);
                                (place, Answer { reply, id, taken })
                            });
                            continue;
                        }
                    }
                }
            };
            answers.put(place, Answer { reply, id, taken });
        }
        // No timer: what is running is waited for in any case, and nothing begins meanwhile.
        match running.next().await {
            Some((place, answer)) => answers.put(place, answer),
            None => return Reply::batch(answers.join()),
        }
    }
}

/// How much of a batch runs at once, and until when anything of it begins.
#[derive(Clone, Copy)]
struct Bounds<'d> {
    dispatch: &'d Dispatch<'d>,
    most: usize,
    /// None without a clock, and where it is later than a clock can say.
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

    /// How many calls may run at once where so many do. Many batches together leave room for the
    /// calls of others, too: once half of all places are taken, each goes on with one at a time.
    fn at_once(&self, running: usize) -> usize {
        let free = self.dispatch.service.free_half();
        self.most.min(running.saturating_add(free)).max(1)
    }

    /// Begins a call whose turn has come, unless that is too late. Returns what is left of it if it
    /// waits for something: nothing of another is queued, or woken.
    async fn begin(
        &self,
        request: &Request,
        callable: &'d Callable,
        begun: Option<Instant>,
    ) -> Result<Reply, Rest<'d>> {
        if self.is_over() {
            return Ok(self.too_late(request, callable, begun));
        }
        let Self { dispatch, .. } = self;
        match in_place(|cx| dispatch.start_request(request, callable, begun, cx)).await {
            Started::Ended(ended) => Ok(dispatch.reply(ended, request, callable, begun)),
            Started::Running(rest) => Err(rest),
        }
    }

    fn is_over(&self) -> bool {
        let Some(deadline) = self.deadline else {
            return false;
        };
        let now = self.dispatch.service.now();
        now.is_some_and(|now| now >= deadline)
    }

    /// What is said of a call that never began, because the time of its batch was over.
    fn too_late(&self, request: &Request, callable: &Callable, begun: Option<Instant>) -> Reply {
        if request.notification {
            // Nothing else reports it.
            let procedure = callable.callee.name();
            let text = "a notification timed out before it started: its batch ran out of time";
            tracing::warn!(procedure, "{text}");
        }
        let id = self.dispatch.part(request.id.as_ref());
        let reply = Reply::fault(meta(request, begun), id, &Fault::not_started());
        reply.of(Arc::clone(&callable.callee))
    }
}

/// The entries whose turn has not come. If dropped with the batch, they are reported.
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

/// What is known of a call that never began.
fn silence(request: &Request, callable: &Callable) -> Reply {
    Reply::silence(meta(request, None), Some(Arc::clone(&callable.callee)))
}
