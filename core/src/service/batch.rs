//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order.

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::Reply;
use super::answered::Answered;
use super::dispatch::Exchange;
use crate::code;
use crate::fault::Fault;
use crate::wire::{Judged, Protocol};

/// Answers a batch. Each entry is judged alone and has a fate of its own; entries that have not
/// been started when the caller goes are never started.
pub(super) async fn answer(exchange: Exchange, entries: Vec<Judged>) -> Reply {
    let limits = &exchange.service.inner.frame.limits;
    // A batch is one caller's, and leaves room for the calls of others.
    let at_once = limits.batch_concurrency.min(limits.calls / 4).max(1);
    let mut answers = Answers::new(&exchange, entries.len());
    let mut waiting = entries.into_iter().enumerate();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < at_once {
            let Some((place, entry)) = waiting.next() else {
                break;
            };
            let exchange = &exchange;
            running.push(async move {
                let watch = exchange.service.watch();
                let answered = exchange.judge_and_run(entry).await;
                watch.end(&answered);
                (place, answered)
            });
        }
        match running.next().await {
            Some((place, answered)) => answers.put(place, answered),
            None => return Reply::new(answers.join(), Protocol::V2_0, None),
        }
    }
}

/// An error answer of this size is left alone: replacing it would save nothing.
const SMALL: usize = 1 << 10;

/// The answers by the place of their requests.
///
/// The sum of the results has a limit. Whatever comes first in the order of the requests is kept;
/// once the sum has passed the limit, each further result is replaced by an error under its id.
/// Results that end up replaced anyway are let go as soon as that is certain, so that a batch never
/// holds more than the limit and one answer.
struct Answers<'e> {
    exchange: &'e Exchange,
    limit: usize,
    by_place: Vec<Option<Answered>>,
    /// The sum of the results that are held.
    held: usize,
}

impl<'e> Answers<'e> {
    fn new(exchange: &'e Exchange, entries: usize) -> Self {
        let mut by_place = Vec::new();
        by_place.resize_with(entries, || None);
        // Two brackets are part of the answer, and one comma less than there are results.
        let limit = exchange.limit().saturating_sub(1);
        Self {
            exchange,
            limit,
            by_place,
            held: 0,
        }
    }

    fn put(&mut self, place: usize, answered: Answered) {
        if is_replaceable(&answered) {
            self.held += size(&answered);
        }
        self.by_place[place] = Some(answered);
        // What is held adds up to more than the limit, so the last of it cannot be among the
        // results that come first.
        let mut last_first = self.by_place.iter_mut().rev().flatten();
        while self.held > self.limit {
            let Some(answered) = last_first.find(|answered| is_replaceable(answered)) else {
                break;
            };
            self.held -= size(answered);
            replace(self.exchange, answered);
        }
    }

    /// The array; none where nothing is to be said, since an empty array is no answer.
    fn join(self) -> Option<Vec<u8>> {
        let mut body = vec![b'['];
        let mut sum = 0;
        let mut full = false;
        // Each answer is let go of when it has been copied, so that they are not there twice.
        for mut answered in self.by_place.into_iter().flatten() {
            if is_replaceable(&answered) {
                sum += size(&answered);
                full |= sum > self.limit;
                if full {
                    replace(self.exchange, &mut answered);
                }
            }
            full |= answered.replaced;
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

/// What an answer adds to the whole, its comma included.
fn size(answered: &Answered) -> usize {
    answered.body.as_ref().map_or(0, |body| body.len() + 1)
}

fn is_replaceable(answered: &Answered) -> bool {
    answered.body.is_some() && (answered.code.is_none() || size(answered) > SMALL)
}

fn replace(exchange: &Exchange, answered: &mut Answered) {
    let mut body = Vec::new();
    let id = answered.id.clone().map(|id| &exchange.text()[id]);
    let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
    answered.protocol.write_fault(&mut body, id, &fault);
    answered.body = Some(body);
    answered.code = Some(fault.code());
    answered.replaced = true;
}
