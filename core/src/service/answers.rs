//! The answers of a batch, by the place of their requests.

use std::time::Duration;

use super::answered::Answered;
use super::dispatch::Exchange;
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;

/// An entry that has been answered, and how long it took, where somebody wants to know.
pub(super) struct Ended {
    pub(super) answered: Answered,
    pub(super) taken: Option<Duration>,
}

impl Ended {
    /// What is answered without running anything.
    pub(super) fn now(answered: Answered) -> Self {
        Self {
            answered,
            taken: Some(Duration::ZERO),
        }
    }
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
pub(super) struct Answers<'e> {
    exchange: &'e Exchange,
    limit: usize,
    by_place: Vec<Option<Ended>>,
    /// From this place on there is no room: the answers before it and the one here pass the limit.
    full_from: usize,
    /// The sum of the answers before that place.
    held: usize,
}

impl<'e> Answers<'e> {
    pub(super) fn new(exchange: &'e Exchange, entries: usize) -> Self {
        let mut by_place = Vec::new();
        by_place.resize_with(entries, || None);
        Self {
            exchange,
            // Two brackets are part of the answer, and one comma less than there are answers.
            limit: exchange.limit().saturating_sub(1),
            by_place,
            full_from: entries,
            held: 0,
        }
    }

    pub(super) fn put(&mut self, place: usize, mut ended: Ended) {
        if place >= self.full_from {
            replace(self.exchange, &mut ended.answered);
        } else {
            self.held = self.held.saturating_add(size(&ended.answered));
        }
        self.by_place[place] = Some(ended);
        // More answers before a place never make more room there.
        while self.held > self.limit {
            let before = &mut self.by_place[..self.full_from];
            let Some(last) = before.iter().rposition(Option::is_some) else {
                break;
            };
            self.full_from = last;
            if let Some(ended) = &mut before[last] {
                self.held -= size(&ended.answered);
                replace(self.exchange, &mut ended.answered);
            }
        }
    }

    /// The array; none where nothing is to be said, since an empty array is no answer.
    pub(super) fn join(mut self) -> Option<Vec<u8>> {
        let mut body = vec![b'['];
        // Each answer is let go of when it has been copied, so that they are not there twice.
        for Ended { answered, taken } in std::mem::take(&mut self.by_place).into_iter().flatten() {
            let service = &self.exchange.service;
            service.tell(&answered, Ending::Answered, taken);
            let Some(answer) = &answered.body else {
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
        for Ended { answered, taken } in self.by_place.iter().flatten() {
            let service = &self.exchange.service;
            service.tell(answered, Ending::Unanswered, *taken);
        }
    }
}

/// What an answer adds to the whole, its comma included.
fn size(answered: &Answered) -> usize {
    answered.body.as_ref().map_or(0, |body| body.len() + 1)
}

fn replace(exchange: &Exchange, answered: &mut Answered) {
    let Some(body) = &mut answered.body else {
        return;
    };
    let mut instead = Vec::new();
    let id = answered.id.clone().map(|id| &exchange.text()[id]);
    let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
    answered.protocol.write_fault(&mut instead, id, &fault);
    // A short error says more than the one that would take as much room.
    if answered.code.is_none() || instead.len() < body.len() {
        *body = instead;
        answered.code = Some(fault.code());
    }
}
