//! Batches (JSON-RPC 2.0, section 6): concurrent with a bound, answered in order.

use futures_util::stream::{FuturesOrdered, StreamExt};

use super::Reply;
use super::dispatch::{Answered, Exchange};
use crate::fault::{Fault, code};
use crate::wire::{Judged, Protocol};

/// Answers a batch. Each entry is judged alone and has a fate of its own; entries that have not
/// been started when the caller goes are never started.
pub(super) async fn answer(exchange: Exchange, entries: Vec<Judged>) -> Reply {
    let limits = &exchange.service.inner.frame.limits;
    let at_once = limits.batch_concurrency.min(limits.calls).max(1);
    let mut waiting = entries.into_iter();
    let mut running = FuturesOrdered::new();
    let mut answers = Answers::new(exchange.limit());
    loop {
        while running.len() < at_once {
            let Some(entry) = waiting.next() else { break };
            running.push_back(exchange.judge_and_run(entry, answers.room()));
        }
        match running.next().await {
            Some(answered) => answers.push(&exchange, answered),
            None => return Reply::new(answers.finish(), Protocol::V2_0, None),
        }
    }
}

/// The answers so far, as one array.
struct Answers {
    body: Vec<u8>,
    limit: usize,
    full: bool,
}

impl Answers {
    fn new(limit: usize) -> Self {
        Self {
            body: vec![b'['],
            limit,
            full: false,
        }
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.body.len())
    }

    /// Adds an answer. Once the sum has passed the limit, each further result is replaced by an
    /// error under its id: a batch of large answers cannot add up past the limit.
    fn push(&mut self, exchange: &Exchange, answered: Answered) {
        let Some(body) = answered.body else {
            return;
        };
        if self.body.len() > 1 {
            self.body.push(b',');
        }
        let is_result = answered.code.is_none();
        // One byte is for the closing bracket.
        self.full |= is_result && body.len() + 1 > self.room();
        self.full |= answered.code == Some(code::RESPONSE_TOO_LARGE);
        if self.full && is_result {
            let id = answered.id.map(|id| &exchange.text()[id]);
            let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
            answered.protocol.write_fault(&mut self.body, id, &fault);
        } else {
            self.body.extend_from_slice(&body);
        }
    }

    /// The array; none where nothing is to be said, since an empty array is no answer.
    fn finish(mut self) -> Option<Vec<u8>> {
        (self.body.len() > 1).then(|| {
            self.body.push(b']');
            self.body
        })
    }
}
