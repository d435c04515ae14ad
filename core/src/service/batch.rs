//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order, for a bounded time.

use std::iter::Enumerate;
use std::sync::Arc;
use std::time::Instant;
use std::vec::IntoIter;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::answered::Answered;
use super::answers::{Answers, Ended};
use super::dispatch::{Exchange, LookedUp};
use super::{Entry, Reply, Service};
use crate::observer::Ending;
use crate::wire::{Judged, Protocol, Request};

/// Answers a batch. Each entry is judged alone and has a fate of its own; entries that have not
/// been started when the caller goes, or when the batch's time is over, are never started.
pub(super) async fn answer(exchange: Exchange, entries: Vec<Judged>) -> Reply {
    let bounds = Bounds::new(&exchange);
    let mut answers = Answers::new(&exchange, entries.len());
    let mut waiting = Waiting {
        exchange: &exchange,
        entries: entries.into_iter().enumerate(),
    };
    let mut running = FuturesUnordered::new();
    loop {
        let at_once = bounds.at_once(running.len());
        while running.len() < at_once {
            let Some((place, entry)) = waiting.entries.next() else {
                break;
            };
            match exchange.look_up(entry) {
                LookedUp::Callable(request, entry) => {
                    let unbegun = Unbegun::new(&exchange, &request, &entry);
                    running.push(async move {
                        unbegun.begin();
                        (place, bounds.answer(request, entry).await)
                    });
                }
                LookedUp::Settled(answered) => answers.put(place, Ended::now(answered)),
            }
        }
        // No timer: what is running is waited for in any case, and nothing begins meanwhile.
        match running.next().await {
            Some((place, ended)) => answers.put(place, ended),
            None => return Reply::new(answers.join(), Protocol::V2_0, None),
        }
    }
}

/// How much of a batch runs at once, and until when anything of it begins.
#[derive(Clone, Copy)]
struct Bounds<'e> {
    exchange: &'e Exchange,
    most: usize,
    /// None without a clock, and where it is later than a clock can say.
    deadline: Option<Instant>,
}

impl<'e> Bounds<'e> {
    fn new(exchange: &'e Exchange) -> Self {
        let limits = exchange.service.limits();
        let now = exchange.service.now();
        Self {
            exchange,
            // A batch is one caller's, and leaves room for the calls of others.
            most: limits.batch_concurrency.min(limits.calls / 4).max(1),
            deadline: now.and_then(|now| now.checked_add(limits.time_of_batch())),
        }
    }

    /// How many calls may run at once where so many do. Many batches together leave room for the
    /// calls of others, too: once half of all places are taken, each goes on with one at a time.
    fn at_once(&self, running: usize) -> usize {
        let free = self.exchange.service.free_half();
        self.most.min(running.saturating_add(free)).max(1)
    }

    /// Answers a call whose turn has come.
    async fn answer(self, request: Request, entry: Arc<Entry>) -> Ended {
        let Self { exchange, .. } = self;
        let begun = exchange.service.begin();
        let answered = if self.is_over() {
            exchange.answer_not_started(request, entry)
        } else {
            exchange.run(request, entry, begun).await
        };
        let taken = exchange.service.since(begun);
        Ended { answered, taken }
    }

    fn is_over(&self) -> bool {
        let Some(deadline) = self.deadline else {
            return false;
        };
        let now = self.exchange.service.now();
        now.is_some_and(|now| now >= deadline)
    }
}

/// The entries whose turn has not come. Dropped with the batch, they are told of.
struct Waiting<'e> {
    exchange: &'e Exchange,
    entries: Enumerate<IntoIter<Judged>>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let service = &self.exchange.service;
        if !service.is_observed() {
            return;
        }
        for (_, entry) in self.entries.by_ref() {
            let cancelled = match self.exchange.look_up(entry) {
                LookedUp::Callable(request, entry) => Answered::nothing(request, entry),
                LookedUp::Settled(answered) => answered,
            };
            service.tell(&cancelled, Ending::Cancelled, None);
        }
    }
}

/// A call that has not begun. Dropped before it does, it is told of as cancelled.
struct Unbegun<'e> {
    service: &'e Service,
    /// What is told then, where somebody listens.
    cancelled: Option<Answered>,
}

impl<'e> Unbegun<'e> {
    fn new(exchange: &'e Exchange, request: &Request, entry: &Arc<Entry>) -> Self {
        let service = &exchange.service;
        let nothing = || Answered::nothing(request.clone(), Arc::clone(entry));
        Self {
            service,
            cancelled: service.is_observed().then(nothing),
        }
    }

    fn begin(mut self) {
        self.cancelled = None;
    }
}

impl Drop for Unbegun<'_> {
    fn drop(&mut self) {
        if let Some(cancelled) = &self.cancelled {
            self.service.tell(cancelled, Ending::Cancelled, None);
        }
    }
}
