//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order, within a limited
//! time and size.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::dispatch::{Begun, Dispatch, DispatchInput, StartedCall, in_place, meta};
use super::reply::Reply;
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::response_field::ResponseField;
use crate::wire::Judged;

/// Runs a batch. Entries are independent of each other. Entries that have not started when the
/// caller disconnects or the batch times out are never started.
pub(super) async fn run(dispatch: &Dispatch<'_>, entries: Vec<Judged>) -> Reply {
    let limits = BatchLimits::new(dispatch);
    let mut batch = Batch::new(dispatch, entries);
    let mut lateness = Lateness::new(&limits);
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < limits.at_once(running.len())
            && let Some(entry) = batch.waiting.next()
        {
            let index = batch.begun;
            batch.begun += 1;
            let begun = dispatch.service.begin();
            let is_late = lateness.of_next(begun);
            // An entry that does not wait has no future, unless it has conditions: it is not queued or woken.
            let call = match in_place(|cx| limits.begin(&entry, begun, is_late, cx)).await {
                Some(Begun::Ended(reply)) => {
                    batch.add(limits.answer(index, entry, begun, reply));
                    continue;
                }
                Some(Begun::Waits(call)) => Some(call),
                None => None,
            };
            let mut answer = Box::pin(limits.finish(index, entry, begun, call));
            match in_place(|cx| answer.as_mut().poll(cx)).await {
                Poll::Ready(answer) => batch.add(answer),
                Poll::Pending => running.push(answer),
            }
        }
        // No timer is needed: running calls are awaited in any case, and no other begins meanwhile.
        match running.next().await {
            Some(answer) => batch.add(answer),
            None => return batch.join(),
        }
        lateness.forget();
    }
}

/// The limits of a batch: the number of calls that run at once, and the time within which they must
/// begin.
pub(super) struct BatchLimits<'d> {
    dispatch: &'d Dispatch<'d>,
    most: usize,
    /// `None` without a clock, or if a clock cannot represent the time.
    deadline: Option<Instant>,
}

impl<'d> BatchLimits<'d> {
    pub(super) fn new(dispatch: &'d Dispatch<'d>) -> Self {
        let limits = dispatch.service.limits();
        let quarter = limits.max_concurrent_calls / 4;
        let now = dispatch.service.now();
        Self {
            dispatch,
            // A batch belongs to one caller, so it leaves room for others.
            most: limits.max_batch_concurrency.min(quarter).max(1),
            deadline: now.and_then(|now| now.checked_add(limits.effective_batch_timeout())),
        }
    }

    /// Returns how many calls may run at once, given how many are running. Many batches together
    /// leave room for the calls of others, too: once half of all permits are taken, each batch
    /// continues with one call at a time.
    fn at_once(&self, running: usize) -> usize {
        self.most
            .min(running.saturating_add(self.dispatch.service.free_half()))
            .max(1)
    }

    /// Begins an entry, unless it is too late for it. Returns `None` if its procedure has conditions, which may have to
    /// wait.
    #[inline]
    fn begin(
        &self,
        entry: &Judged,
        begun: Option<Instant>,
        is_late: bool,
        cx: &mut Context<'_>,
    ) -> Option<Begun<'d>> {
        let dispatch = self.dispatch;
        let (request, callable) = match dispatch.look_up(entry, begun) {
            Ok(found) => found,
            Err(reply) => return Some(Begun::Ended(*reply)),
        };
        let id = dispatch.part(request.id.as_ref());
        let meta = meta(request, begun);
        if is_late {
            if meta.notification {
                // Its sender gets no answer, so only the log tells of it.
                let procedure = callable.callee.name();
                let text = "a notification timed out: its batch ran out of time";
                tracing::warn!(procedure, "{text}");
            }
            let reply = Reply::fault(meta, id, &Fault::not_started())
                .with_callee(Arc::clone(&callable.callee));
            return Some(Begun::Ended(reply));
        }
        let input = DispatchInput::Request(request);
        (!callable.callee.has_conditions()).then(|| dispatch.begin(callable, meta, id, input, cx))
    }

    /// Waits for an entry: for its call, or without one for its conditions and then for its call.
    async fn finish(
        &self,
        index: usize,
        entry: Judged,
        begun: Option<Instant>,
        call: Option<Box<StartedCall<'d>>>,
    ) -> EntryAnswer {
        let dispatch = self.dispatch;
        let reply = match call {
            Some(call) => call.finish(dispatch.part(entry.id())).await,
            // It was found before, and is looked up again because the entry has moved.
            None => match dispatch.look_up(&entry, begun) {
                Ok((request, callable)) => dispatch.call_request(request, callable, begun).await,
                Err(reply) => *reply,
            },
        };
        self.answer(index, entry, begun, reply)
    }

    fn answer(
        &self,
        index: usize,
        entry: Judged,
        begun: Option<Instant>,
        reply: Reply,
    ) -> EntryAnswer {
        EntryAnswer {
            taken: self.dispatch.service.since(begun),
            index,
            entry,
            reply,
        }
    }

    /// Returns whether it is too late for further entries.
    pub(super) fn is_over(&self) -> bool {
        let now = self.deadline.and_then(|_| self.dispatch.service.now());
        now.is_some_and(|now| self.is_over_at(now))
    }

    fn is_over_at(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }
}

/// Tells which entries are too late.
///
/// Reading the clock takes a good part of the time of a small call. So entries that follow each other
/// without waiting share a reading, unless observers need one for each.
struct Lateness<'b> {
    limits: &'b BatchLimits<'b>,
    is_late: bool,
    /// The number of entries for which the last reading still holds.
    holds_for: usize,
}

/// The number of entries that share a reading of the clock.
const ENTRIES_PER_READING: usize = 8;

impl<'b> Lateness<'b> {
    fn new(limits: &'b BatchLimits<'b>) -> Self {
        Self {
            limits,
            is_late: false,
            holds_for: 0,
        }
    }

    /// Returns whether the next entry is too late. `begun` is its beginning, if the clock has been read
    /// for it.
    fn of_next(&mut self, begun: Option<Instant>) -> bool {
        if let Some(begun) = begun {
            return self.limits.is_over_at(begun);
        }
        if self.holds_for == 0 {
            self.is_late = self.limits.is_over();
            self.holds_for = ENTRIES_PER_READING;
        }
        self.holds_for -= 1;
        self.is_late
    }

    /// Reads the clock anew for the next entry, because the batch has waited.
    fn forget(&mut self) {
        self.holds_for = 0;
    }
}

/// The answer to an entry.
struct EntryAnswer {
    index: usize,
    entry: Judged,
    reply: Reply,
    /// The time that the entry took, if it is needed.
    taken: Option<Duration>,
}

impl EntryAnswer {
    /// Returns the size of the answer in the array, with its comma.
    fn size(&self) -> usize {
        self.reply.body_length() + 1
    }
}

/// The entries still to begin, and the answers of those that have ended.
///
/// Answers that come in the order of their entries are appended to the array at once. Others are kept until
/// the end, and so are all of them if there are observers.
///
/// The total size of the answers has a limit. Once an answer does not fit, it and each further one are
/// replaced by an error under their IDs, unless they are no longer than that error. So a batch never holds
/// more than the limit and one response.
///
/// Observers are notified of all entries at the end. If the batch is dropped earlier, finished entries are
/// reported as unanswered, and those that have not begun as cancelled.
struct Batch<'d> {
    dispatch: &'d Dispatch<'d>,
    waiting: IntoIter<Judged>,
    begun: usize,
    /// The array so far.
    array: Vec<u8>,
    /// The number of entries in front whose answers are in the array.
    appended: usize,
    kept: Vec<EntryAnswer>,
    /// The total size of the answers so far.
    held: usize,
    /// Set once an answer did not fit.
    is_full: bool,
    /// The fields that handlers have added, in the order of the entries.
    fields: Vec<ResponseField>,
}

/// The length of a short answer, for the first capacity of the array.
const SHORT_ANSWER: usize = 48;

impl<'d> Batch<'d> {
    fn new(dispatch: &'d Dispatch<'d>, entries: Vec<Judged>) -> Self {
        Self {
            dispatch,
            array: Vec::with_capacity(entries.len() * SHORT_ANSWER),
            waiting: entries.into_iter(),
            begun: 0,
            appended: 0,
            kept: Vec::new(),
            // One bracket: the other counts as the comma that the last answer lacks.
            held: 1,
            is_full: false,
            fields: Vec::new(),
        }
    }

    fn add(&mut self, mut answer: EntryAnswer) {
        let room = self.dispatch.service.limits().max_response_bytes;
        self.is_full |= self.held.saturating_add(answer.size()) > room;
        if self.is_full {
            let id = self.dispatch.part(answer.entry.id());
            answer
                .reply
                .replace(id, &Fault::protocol(code::RESPONSE_TOO_LARGE));
        }
        if answer.reply.body_length() > 0 {
            self.held = self.held.saturating_add(answer.size());
        }
        let is_next = answer.index == self.appended && self.kept.is_empty();
        if is_next && !self.dispatch.service.is_observed() {
            self.append(&mut answer);
        } else {
            self.kept.push(answer);
        }
    }

    fn append(&mut self, answer: &mut EntryAnswer) {
        self.appended += 1;
        self.fields.extend(answer.reply.take_response_fields());
        if let Some(text) = answer.reply.body() {
            let before = if self.array.is_empty() { b'[' } else { b',' };
            self.array.push(before);
            self.array.extend_from_slice(&text);
        }
    }

    /// Returns the array. There is nothing to send if it would be empty, because an empty array is not a
    /// valid response.
    fn join(mut self) -> Reply {
        self.kept.sort_unstable_by_key(|answer| answer.index);
        self.array
            .reserve_exact(self.held.saturating_sub(self.array.len()));
        // Each answer is dropped once it has been copied, so that it is not in memory twice.
        for mut answer in std::mem::take(&mut self.kept) {
            self.tell(&answer, Ending::Answered);
            self.append(&mut answer);
        }
        let fields = std::mem::take(&mut self.fields);
        let mut array = std::mem::take(&mut self.array);
        if !array.is_empty() {
            array.push(b']');
            array.shrink_to_fit();
        }
        let mut reply = Reply::batch((!array.is_empty()).then_some(array));
        reply.set_fields(fields);
        reply
    }

    fn tell(&self, answer: &EntryAnswer, ending: Ending) {
        let service = self.dispatch.service;
        if service.is_observed() {
            service.tell(&answer.reply, ending, answer.taken, Some(self.dispatch));
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let service = self.dispatch.service;
        if !service.is_observed() {
            return;
        }
        for answer in &self.kept {
            self.tell(answer, Ending::Unanswered);
        }
        for entry in self.waiting.by_ref() {
            let cancelled = match self.dispatch.look_up(&entry, None) {
                Ok((request, callable)) => {
                    Reply::silence(meta(request, None), Some(Arc::clone(&callable.callee)))
                }
                Err(reply) => *reply,
            };
            service.tell(&cancelled, Ending::Cancelled, None, Some(self.dispatch));
        }
    }
}
