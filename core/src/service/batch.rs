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
            match dispatch.look_up(entry, None) {
                LookedUp::Callable(request, callable) => {
                    let unbegun = Unbegun::new(&dispatch, &request, callable);
                    running.push(async move {
                        unbegun.begin();
                        let (reply, taken) = bounds.run(&request, callable).await;
                        (place, Answer { reply, id, taken })
                    });
                }
                LookedUp::Settled(reply) => {
                    let taken = Some(Duration::ZERO);
                    answers.put(place, Answer { reply, id, taken });
                }
            }
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

    /// Runs a call whose turn has come, unless that is too late; and says how long it took.
    async fn run(self, request: &Request, callable: &Callable) -> (Reply, Option<Duration>) {
        let Self { dispatch, .. } = self;
        let begun = dispatch.service.begin();
        let reply = if self.is_over() {
            self.too_late(request, callable, begun)
        } else {
            let ended = dispatch.start_request(request, callable, begun).await;
            dispatch.reply(ended, request, callable, begun)
        };
        (reply, dispatch.service.since(begun))
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
            // No one else will report it.
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
            let cancelled = match self.dispatch.look_up(entry, None) {
                LookedUp::Callable(request, callable) => silence(&request, callable),
                LookedUp::Settled(reply) => reply,
            };
            service.tell(&cancelled, Ending::Cancelled, None, Some(self.dispatch));
        }
    }
}

/// A call that has not started. If dropped before that, it is reported as cancelled.
struct Unbegun<'d> {
    dispatch: &'d Dispatch<'d>,
    /// What is reported in that case, if there are observers.
    cancelled: Option<Reply>,
}

impl<'d> Unbegun<'d> {
    fn new(dispatch: &'d Dispatch<'d>, request: &Request, callable: &Callable) -> Self {
        let cancelled = || silence(request, callable);
        Self {
            dispatch,
            cancelled: dispatch.service.is_observed().then(cancelled),
        }
    }

    fn begin(mut self) {
        self.cancelled = None;
    }
}

impl Drop for Unbegun<'_> {
    fn drop(&mut self) {
        if let Some(cancelled) = &self.cancelled {
            let service = self.dispatch.service;
            service.tell(cancelled, Ending::Cancelled, None, Some(self.dispatch));
        }
    }
}

/// What is known of a call that never began.
fn silence(request: &Request, callable: &Callable) -> Reply {
    Reply::silence(meta(request, None), Some(Arc::clone(&callable.callee)))
}
