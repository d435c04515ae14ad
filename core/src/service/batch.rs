//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order, within a limited
//! time and size.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::dispatch::{Begun, Dispatch, DispatchInput, OpenCall, in_place, meta};
use super::reply::Reply;
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::response_field::ResponseField;
use crate::wire::ClassifiedRequest;

/// Runs a batch. Entries are independent of each other. Entries that have not started when the
/// caller disconnects or the batch times out are never started.
pub(super) async fn run(dispatch: &Dispatch<'_>, entries: Vec<ClassifiedRequest>) -> Reply {
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
                    batch.add(limits.ended(index, entry, begun, reply));
                    continue;
                }
                Some(Begun::Waits(call)) => Some(call),
                None => None,
            };
            let mut finishing = Box::pin(limits.finish(index, entry, begun, call));
            match in_place(|cx| finishing.as_mut().poll(cx)).await {
                Poll::Ready(ended) => batch.add(ended),
                Poll::Pending => running.push(finishing),
            }
        }
        // No timer is needed: running calls are awaited in any case, and no other begins meanwhile.
        match running.next().await {
            Some(ended) => batch.add(ended),
            None => return batch.join(),
        }
        lateness.forget();
    }
}

/// The limits of a batch: the number of calls that run at once, and the time within which they must
/// begin.
pub(super) struct BatchLimits<'d> {
    dispatch: &'d Dispatch<'d>,
    /// The maximum number of calls that run at once.
    max_concurrency: usize,
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
            max_concurrency: limits.max_batch_concurrency.min(quarter).max(1),
            deadline: now.and_then(|now| now.checked_add(limits.effective_batch_timeout())),
        }
    }

    /// Returns how many calls may run at once, given how many are running. Many batches together
    /// leave room for the calls of others, too: once half of all permits are taken, each batch
    /// continues with one call at a time.
    fn at_once(&self, running: usize) -> usize {
        self.max_concurrency
            .min(running.saturating_add(self.dispatch.service.free_half()))
            .max(1)
    }

    /// Begins an entry, unless it is too late for it. Returns `None` if its procedure has conditions, which may have to
    /// wait.
    #[inline]
    fn begin(
        &self,
        entry: &ClassifiedRequest,
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
                // Its sender gets no response, so only the log reports it.
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
        entry: ClassifiedRequest,
        begun: Option<Instant>,
        call: Option<Box<OpenCall<'d>>>,
    ) -> EntryReply {
        let dispatch = self.dispatch;
        let reply = match call {
            Some(call) => call.finish(dispatch.part(entry.id())).await,
            // It was found before, and is looked up again because the entry has moved.
            None => match dispatch.look_up(&entry, begun) {
                Ok((request, callable)) => dispatch.call_request(request, callable, begun).await,
                Err(reply) => *reply,
            },
        };
        self.ended(index, entry, begun, reply)
    }

    fn ended(
        &self,
        index: usize,
        entry: ClassifiedRequest,
        begun: Option<Instant>,
        reply: Reply,
    ) -> EntryReply {
        EntryReply {
            duration: self.dispatch.service.since(begun),
            index,
            entry,
            reply,
        }
    }

    /// Returns whether it is too late for further entries.
    pub(super) fn is_over(&self) -> bool {
        // Without a deadline, the clock is not read.
        self.deadline.is_some()
            && self
                .dispatch
                .service
                .now()
                .is_some_and(|now| self.is_over_at(now))
    }

    fn is_over_at(&self, now: Instant) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }
}

/// Decides which entries are too late.
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

/// The reply to an entry.
struct EntryReply {
    index: usize,
    entry: ClassifiedRequest,
    reply: Reply,
    /// The time that the entry took, if it is needed.
    duration: Option<Duration>,
}

impl EntryReply {
    /// Returns the size of the response in the array, with its comma.
    fn size(&self) -> usize {
        self.reply.body_length() + 1
    }
}

/// The entries still to begin, and the replies to those that have ended.
///
/// Replies that come in the order of their entries are appended to the array at once. Others are kept until
/// the end, and so are all of them if there are observers.
///
/// The total size of the responses has a limit. Once a response does not fit, it and each further one are
/// replaced by an error under their IDs, unless they are no longer than that error. So a batch never holds
/// more than the limit and one response.
///
/// Observers are notified of all entries at the end. If the batch is dropped earlier, finished entries are
/// reported as unanswered, and those that have not begun as cancelled.
struct Batch<'d> {
    dispatch: &'d Dispatch<'d>,
    waiting: IntoIter<ClassifiedRequest>,
    begun: usize,
    /// The array so far.
    array: Vec<u8>,
    /// The number of entries in front whose responses are in the array.
    appended: usize,
    /// The replies that wait for those to earlier entries, or for the observers at the end.
    kept: Vec<EntryReply>,
    /// The total size of the responses so far.
    size: usize,
    /// Set once a response did not fit.
    is_full: bool,
    /// The fields that handlers have added, in the order of the entries.
    fields: Vec<ResponseField>,
}

/// The length of a short response, for the first capacity of the array.
const SHORT_RESPONSE: usize = 48;

impl<'d> Batch<'d> {
    fn new(dispatch: &'d Dispatch<'d>, entries: Vec<ClassifiedRequest>) -> Self {
        Self {
            dispatch,
            array: Vec::with_capacity(entries.len() * SHORT_RESPONSE),
            waiting: entries.into_iter(),
            begun: 0,
            appended: 0,
            kept: Vec::new(),
            // One bracket: the other counts as the comma that the last response lacks.
            size: 1,
            is_full: false,
            fields: Vec::new(),
        }
    }

    fn add(&mut self, mut ended: EntryReply) {
        let limit = self.dispatch.service.limits().max_response_bytes;
        self.is_full |= self.size.saturating_add(ended.size()) > limit;
        if self.is_full {
            let id = self.dispatch.part(ended.entry.id());
            ended
                .reply
                .replace(id, &Fault::protocol(code::RESPONSE_TOO_LARGE));
        }
        if ended.reply.body_length() > 0 {
            self.size = self.size.saturating_add(ended.size());
        }
        let is_next = ended.index == self.appended && self.kept.is_empty();
        if is_next && !self.dispatch.service.is_observed() {
            self.append(&mut ended.reply);
        } else {
            self.kept.push(ended);
        }
    }

    fn append(&mut self, reply: &mut Reply) {
        self.appended += 1;
        self.fields.extend(reply.take_response_fields());
        if let Some(body) = reply.body() {
            let before = if self.array.is_empty() { b'[' } else { b',' };
            self.array.push(before);
            self.array.extend_from_slice(&body);
        }
    }

    /// Returns the array. There is nothing to send if it would be empty, because an empty array is not a
    /// valid response.
    fn join(mut self) -> Reply {
        self.kept.sort_unstable_by_key(|ended| ended.index);
        self.array
            .reserve_exact(self.size.saturating_sub(self.array.len()));
        // Each reply is dropped once it has been copied, so that it is not in memory twice.
        for mut ended in std::mem::take(&mut self.kept) {
            self.notify(&ended, Ending::Answered);
            self.append(&mut ended.reply);
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

    /// Notifies observers of an entry.
    fn notify(&self, ended: &EntryReply, ending: Ending) {
        let service = self.dispatch.service;
        if service.is_observed() {
            service.notify_ended(&ended.reply, ending, ended.duration, Some(self.dispatch));
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let service = self.dispatch.service;
        if !service.is_observed() {
            return;
        }
        for ended in &self.kept {
            self.notify(ended, Ending::Unanswered);
        }
        for entry in self.waiting.by_ref() {
            let cancelled = match self.dispatch.look_up(&entry, None) {
                Ok((request, callable)) => {
                    Reply::without_body(meta(request, None), Some(Arc::clone(&callable.callee)))
                }
                Err(reply) => *reply,
            };
            service.notify_ended(&cancelled, Ending::Cancelled, None, Some(self.dispatch));
        }
    }
}
