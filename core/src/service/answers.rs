//! The responses of a batch, in the order of their requests.

use std::time::Duration;

use super::dispatch::Dispatch;
use super::reply::Reply;
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::wire::Span;

/// The answer to an entry.
pub(super) struct Answer {
    pub(super) reply: Reply,
    /// The entry's `id`.
    pub(super) id: Option<Span>,
    /// How long the entry took, if needed.
    pub(super) taken: Option<Duration>,
}

/// Collects answers, whose sum has a limit: results, and the messages and data of errors.
///
/// Responses are kept in the order of the requests. Once their sum exceeds the limit, each further
/// response is replaced by an error under its ID, unless it is no longer than that error. Responses
/// that will be replaced are dropped as soon as that is certain, so a batch never holds more than
/// the limit and one response.
///
/// Observers are notified of all entries at the end, because none is certain before. If dropped
/// before that, finished entries are reported as unanswered.
pub(super) struct Answers<'d> {
    dispatch: &'d Dispatch<'d>,
    limit: usize,
    by_place: Vec<Option<Answer>>,
    /// The answers before `joined`, if no observer is told of them. They are dropped as soon as
    /// possible: a hundred buffers do not fit into the closest cache, and a batch of a hundred small
    /// calls takes about 4 % longer with them.
    body: Vec<u8>,
    joined: usize,
    /// From this position on there is no room: the responses up to here exceed the limit.
    full_from: usize,
    /// The sum of the answers before that place.
    held: usize,
}

impl<'d> Answers<'d> {
    pub(super) fn new(dispatch: &'d Dispatch<'d>, entries: usize) -> Self {
        let mut by_place = Vec::new();
        by_place.resize_with(entries, || None);
        Self {
            dispatch,
            // Two brackets are part of the answer, and one comma less than there are answers.
            limit: dispatch.limit().saturating_sub(1),
            by_place,
            body: vec![b'['],
            joined: 0,
            full_from: entries,
            held: 0,
        }
    }

    pub(super) fn put(&mut self, place: usize, mut answer: Answer) {
        if place >= self.full_from {
            answer.replace(self.dispatch);
        } else {
            self.held = self.held.saturating_add(answer.size());
        }
        self.by_place[place] = Some(answer);
        // More answers before a place never make more room there.
        while self.held > self.limit {
            let before = &mut self.by_place[..self.full_from];
            let Some(last) = before.iter().rposition(Option::is_some) else {
                break;
            };
            self.full_from = last;
            if let Some(answer) = &mut before[last] {
                self.held -= answer.size();
                answer.replace(self.dispatch);
            }
        }
        if place == self.joined && !self.dispatch.service.is_observed() {
            self.join_first();
        }
    }

    /// Joins the answers that no earlier one is missing before: no further answer replaces them.
    fn join_first(&mut self) {
        while let Some(answer) = self.by_place.get_mut(self.joined).and_then(Option::take) {
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

    /// The array; `None` if there is nothing to send, since an empty array is not a valid response.
    pub(super) fn join(mut self) -> Option<Vec<u8>> {
        // Each answer is dropped when it has been copied, so that they are not there twice.
        for answer in std::mem::take(&mut self.by_place).into_iter().flatten() {
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
        for answer in self.by_place.iter().flatten() {
            answer.tell(self.dispatch, Ending::Unanswered);
        }
    }
}

impl Answer {
    /// What it adds to the whole, its comma included.
    fn size(&self) -> usize {
        match self.reply.body_length() {
            0 => 0,
            length => length + 1,
        }
    }

    fn replace(&mut self, dispatch: &Dispatch<'_>) {
        let id = dispatch.part(self.id.as_ref());
        let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
        self.reply.replace(id, &fault);
    }

    fn tell(&self, dispatch: &Dispatch<'_>, ending: Ending) {
        let taken = self.taken;
        let service = dispatch.service;
        service.tell(&self.reply, ending, taken, Some(dispatch));
    }
}
