//! The responses of a batch, in the order of their requests.

use std::time::Duration;

use super::dispatch::Dispatch;
use super::reply::Reply;
use super::state::Service;
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::wire::Span;

/// The answer to one entry.
pub(super) struct Answer {
    pub(super) reply: Reply,
    /// The time that the entry took, if it is needed.
    pub(super) taken: Option<Duration>,
}

/// An answer that waits for its turn in the array.
struct Kept {
    answer: Answer,
    /// The entry's `id`.
    id: Option<Span>,
}

/// Collects the answers, whose total size has a limit: results, and the messages and data of
/// errors.
///
/// Responses are kept in the order of the requests. Once their sum exceeds the limit, each further
/// response is replaced by an error under its ID, unless it is no longer than that error. Responses
/// that will be replaced are dropped as soon as that is certain, so a batch never holds more than
/// the limit and one response.
///
/// Observers are notified of all entries at the end, because no answer is final before. If the
/// collection is dropped earlier, finished entries are reported as unanswered.
pub(super) struct Answers<'d> {
    dispatch: &'d Dispatch<'d>,
    limit: usize,
    by_place: Vec<Option<Kept>>,
    /// The answers before `joined`, if there are no observers. They are dropped as soon as possible:
    /// a hundred buffers do not fit into the closest cache, and a batch of a hundred small calls
    /// takes about 4 % longer with them.
    body: Vec<u8>,
    joined: usize,
    /// The position from which on there is no room: the responses up to here exceed the limit.
    full_from: usize,
    /// The total size of the answers before `full_from`.
    held: usize,
}

impl<'d> Answers<'d> {
    pub(super) fn new(dispatch: &'d Dispatch<'d>, entries: usize) -> Self {
        let mut by_place = Vec::new();
        by_place.resize_with(entries, || None);
        Self {
            dispatch,
            // The array has two brackets, and one comma fewer than answers.
            limit: dispatch.limit().saturating_sub(1),
            by_place,
            body: vec![b'['],
            joined: 0,
            full_from: entries,
            held: 0,
        }
    }

    /// Adds the answer to the entry at `place`, which has this `id`.
    #[inline]
    pub(super) fn put(&mut self, place: usize, id: Option<&Span>, answer: Answer) {
        let held = self.held.saturating_add(answer.size());
        let is_next = place == self.joined && place < self.full_from && self.joins_at_once();
        if is_next && held <= self.limit {
            self.held = held;
            self.append(&answer);
            self.joined += 1;
            self.join_first();
        } else {
            let id = id.cloned();
            self.keep(place, Kept { answer, id });
        }
    }

    #[inline(never)]
    fn keep(&mut self, place: usize, mut kept: Kept) {
        if place >= self.full_from {
            kept.replace(self.dispatch);
        } else {
            self.held = self.held.saturating_add(kept.answer.size());
        }
        self.by_place[place] = Some(kept);
        // Further answers before a place never make more room there.
        while self.held > self.limit {
            let before = &mut self.by_place[..self.full_from];
            let Some(last) = before.iter().rposition(Option::is_some) else {
                break;
            };
            self.full_from = last;
            if let Some(kept) = &mut before[last] {
                self.held -= kept.answer.size();
                kept.replace(self.dispatch);
            }
        }
        if place == self.joined && self.joins_at_once() {
            self.join_first();
        }
    }

    /// Returns whether answers are joined as they arrive. With observers they are kept, because
    /// observers are notified of each answer at the end.
    #[inline]
    fn joins_at_once(&self) -> bool {
        !self.dispatch.service.is_observed()
    }

    /// Joins the answers up to the first one that is missing: no further answer can replace them.
    fn join_first(&mut self) {
        while let Some(place) = self.by_place.get_mut(self.joined)
            && let Some(Kept { answer, .. }) = place.take()
        {
            self.append(&answer);
            self.joined += 1;
        }
    }

    /// Appends an answer to the array.
    fn append(&mut self, answer: &Answer) {
        let Some(answer) = answer.reply.body() else {
            return;
        };
        if self.body.len() > 1 {
            self.body.push(b',');
        }
        self.body.extend_from_slice(&answer);
    }

    /// Returns the array; `None` if there is nothing to send, because an empty array is not a valid
    /// response.
    pub(super) fn join(mut self) -> Option<Vec<u8>> {
        // Each answer is dropped once it has been copied, so that it is not in memory twice.
        for Kept { answer, .. } in std::mem::take(&mut self.by_place).into_iter().flatten() {
            answer.tell(self.dispatch, Ending::Answered);
            self.append(&answer);
        }
        let mut body = std::mem::take(&mut self.body);
        (body.len() > 1).then(|| {
            body.push(b']');
            body
        })
    }
}

impl Drop for Answers<'_> {
    fn drop(&mut self) {
        for kept in self.by_place.iter().flatten() {
            kept.answer.tell(self.dispatch, Ending::Unanswered);
        }
    }
}

impl Answer {
    /// Creates the answer of a call that has just ended.
    #[inline]
    pub(super) fn of(reply: Reply, service: &Service) -> Self {
        let taken = service.since(reply.meta.begun);
        Self { reply, taken }
    }

    /// Returns the size that the answer adds to the array, with its comma.
    fn size(&self) -> usize {
        match self.reply.body_length() {
            0 => 0,
            length => length + 1,
        }
    }

    fn tell(&self, dispatch: &Dispatch<'_>, ending: Ending) {
        let taken = self.taken;
        let service = dispatch.service;
        service.tell(&self.reply, ending, taken, Some(dispatch));
    }
}

impl Kept {
    fn replace(&mut self, dispatch: &Dispatch<'_>) {
        let id = dispatch.part(self.id.as_ref());
        let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
        self.answer.reply.replace(id, &fault);
    }
}
