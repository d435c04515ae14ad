//! The answers of a batch, by the place of their requests.

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
    /// How long the entry took, where somebody wants to know.
    pub(super) taken: Option<Duration>,
}

/// Collects answers, whose sum has a limit: results, and the messages and data of errors.
///
/// Whatever comes first in the order of the requests is kept. Once the sum has passed the limit, each
/// further answer is replaced by an error under its id, unless it is no longer than that. Answers
/// that end up replaced anyway are let go as soon as that is certain, so that a batch never holds
/// more than the limit and one answer.
///
/// Observers hear of the entries when all are there, since none of them is certain before. Dropped
/// before that, what has ended is told of as unanswered.
pub(super) struct Answers<'d> {
    dispatch: &'d Dispatch<'d>,
    limit: usize,
    by_place: Vec<Option<Answer>>,
    /// From this place on there is no room: the answers before it and the one here pass the limit.
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
    }

    /// The array; none where nothing is to be said, since an empty array is no answer.
    pub(super) fn join(mut self) -> Option<Vec<u8>> {
        let mut body = vec![b'['];
        // Each answer is let go of when it has been copied, so that they are not there twice.
        for answer in std::mem::take(&mut self.by_place).into_iter().flatten() {
            answer.tell(self.dispatch, Ending::Answered);
            let Some(answer) = answer.reply.body() else {
                continue;
            };
            if body.len() > 1 {
                body.push(b',');
            }
            body.extend_from_slice(answer);
        }
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
        self.reply.body().map_or(0, |body| body.len() + 1)
    }

    fn replace(&mut self, dispatch: &Dispatch<'_>) {
        let id = dispatch.part(self.id.as_ref());
        let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
        self.reply.replace(id, &fault);
    }

    fn tell(&self, dispatch: &Dispatch<'_>, ending: Ending) {
        dispatch.service.tell(&self.reply, ending, self.taken);
    }
}
