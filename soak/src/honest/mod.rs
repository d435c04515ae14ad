//! Honest traffic: reads, searches, writes, batches, 1.1 calls, and GET with validators.
//!
//! Each caller is a thread with a random generator of its own, so that the seed of the soak decides what it sends,
//! though not when. A step draws one kind of traffic:
//!
//! | of 100 | kind |
//! |---|---|
//! | 25 | a read |
//! | 20 | a GET, with the validator of an earlier one |
//! | 30 | a write, often a repetition with its key |
//! | 10 | a batch |
//! | 15 | 1.1, a notification, a pipeline, or another connection |
//!
//! Honest callers keep to the contract, so for them every unexpected error is a finding. What is sent on purpose to do
//! harm is in [`hostile`](super::hostile).

mod batch;
mod get;
mod reads;
mod writes;

use std::thread;

use fastrand::Rng;

use super::call::{ExpectedCall, post, post_in_chunks, post_with_key};
use super::caller::Caller;
use super::contract::{self, Breach, Outcome, Version};
use super::http::{Response, excerpt, shown};
use super::world::World;
use get::Reader;
use writes::Writer;
pub(super) use writes::{add_book, add_member, conflict};

/// Ids that are hard to parse. Each must come back unchanged.
const AWKWARD_IDS: &[&str] = &[
    "1",
    "-1",
    "0",
    "1.0",
    "-0.0",
    "1e400",
    "12345678901234567890",
    "null",
    r#""""#,
    r#""a\u0062""#,
    r#""\ud800""#,
    r#""\u0000\/""#,
    r#""{\"id\":1}""#,
    r#""жук 🐞""#,
];

/// Sends traffic until the soak stops.
pub(crate) fn work(world: &World, number: u64) {
    let mut worker = Worker {
        caller: Caller::new(world, "honest"),
        rng: Rng::with_seed(world.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        writer: Writer::default(),
        reader: Reader::default(),
    };
    while world.current().is_some() {
        worker.step();
        thread::sleep(world.pause);
    }
}

struct Worker<'w> {
    caller: Caller<'w>,
    rng: Rng,
    writer: Writer,
    reader: Reader,
}

impl Worker<'_> {
    fn step(&mut self) {
        match self.rng.u8(..100) {
            0..25 => {
                let call = reads::any(&mut self.rng, &self.writer);
                self.single("read", call, Version::V2_0);
            }
            25..45 => self.reader.get(&mut self.caller, &mut self.rng),
            45..75 => {
                let call = self.writer.any(&mut self.rng, self.caller.world);
                self.single("write", call, Version::V2_0);
            }
            75..85 => self.batch(),
            85..90 => {
                let call = reads::any(&mut self.rng, &self.writer);
                self.single("read, 1.1", call, Version::V1_1);
            }
            90..94 => {
                let call = self.writer.any(&mut self.rng, self.caller.world);
                self.single("write, 1.1", call, Version::V1_1);
            }
            94..96 => self.notify(),
            96..99 => self.pipeline(),
            _ => self.caller.hang_up(),
        }
    }

    fn id(&mut self) -> String {
        self.rng
            .choice(AWKWARD_IDS)
            .copied()
            .unwrap_or("1")
            .to_owned()
    }

    fn single(&mut self, kind: &'static str, mut call: ExpectedCall, version: Version) {
        call.id = match version {
            // A 1.1 id may be anything, or be absent.
            Version::V1_1 if self.rng.bool() => {
                let ids = [None, Some(r#"[1, {"a":null}]"#), Some("false")];
                self.rng.choice(ids).flatten().map(str::to_owned)
            }
            _ => Some(self.id()),
        };
        let text = call.text(version);
        call.note(self.caller.world);
        let request = match (self.rng.u8(..8), &call.key) {
            // In 2.0 the key may be in a header field, too.
            (roll, Some(key)) if roll < 2 || version == Version::V1_1 => {
                post_with_key(self.caller.world, key, text.as_bytes())
            }
            (0, _) => post_in_chunks(self.caller.world, text.as_bytes(), self.rng.usize(1..40)),
            _ => post(self.caller.world, text.as_bytes()),
        };
        match self.caller.call(kind, &request) {
            Some(response) => self.check(&call, text.as_bytes(), &request, &response),
            None => self.writer.lost(&call),
        }
    }

    /// Sends several calls at once on one connection and reads the responses in turn.
    fn pipeline(&mut self) {
        let mut calls = Vec::new();
        let mut texts = Vec::new();
        let mut requests = Vec::new();
        for _ in 0..self.rng.usize(2..8) {
            let mut call = if self.rng.bool() {
                self.writer.any(&mut self.rng, self.caller.world)
            } else {
                reads::any(&mut self.rng, &self.writer)
            };
            call.id = Some(self.id());
            call.note(self.caller.world);
            let text = call.text(Version::V2_0);
            requests.push(post(self.caller.world, text.as_bytes()));
            texts.push(text);
            calls.push(call);
        }
        let bodiless = vec![false; calls.len()];
        let responses = self
            .caller
            .call_many("pipelined", &requests.concat(), &bodiless);
        let sent = calls.iter().zip(&texts).zip(&requests);
        for (((call, text), request), response) in sent.zip(&responses) {
            self.check(call, text.as_bytes(), request, response);
        }
        for call in &calls[responses.len()..] {
            self.writer.lost(call);
        }
    }

    /// Checks the response to a call, and tells the ledger and the tally of its outcome.
    fn check(&mut self, call: &ExpectedCall, body: &[u8], request: &[u8], response: &Response) {
        if contract::busy(response).is_ok() {
            return self.settle(call, Outcome::Error(contract::code::BUSY));
        }
        match contract::posted(response, body) {
            Ok(outcomes) => {
                for outcome in outcomes {
                    if let Err(breach) = self.check_replay(call, &outcome, response) {
                        self.broke(&breach, request, response);
                    }
                    self.settle(call, outcome);
                }
            }
            Err(breach) => self.broke(&breach, request, response),
        }
    }

    /// Checks that a known outcome is marked as replayed, and that no other outcome is, except for a
    /// call whose first response was lost.
    fn check_replay(
        &self,
        call: &ExpectedCall,
        outcome: &Outcome,
        response: &Response,
    ) -> Result<(), Breach> {
        if call.before.is_some() && !outcome.is_pending() {
            self.caller.world.tally().replay();
            return contract::replayed(response, true);
        }
        if call.key.is_none() || outcome.is_pending() {
            return contract::replayed(response, false);
        }
        Ok(())
    }

    /// Sends a write as a notification: it may take effect once or not at all.
    fn notify(&mut self) {
        let mut call = self.writer.any(&mut self.rng, self.caller.world);
        if call.lends() {
            call = add_member(self.caller.world);
        }
        call.id = None;
        call.note(self.caller.world);
        let request = post(self.caller.world, call.text(Version::V2_0).as_bytes());
        let Some(response) = self.caller.call("notification", &request) else {
            return;
        };
        if contract::busy(&response).is_ok() {
            return self.settle(&call, Outcome::Error(contract::code::BUSY));
        }
        if let Err(breach) = contract::no_answer(&response) {
            self.broke(&breach, &request, &response);
        }
    }

    fn settle(&mut self, call: &ExpectedCall, outcome: Outcome) {
        self.writer.ended(&mut self.rng, call, &outcome);
        let result = call.settle(self.caller.world, outcome);
        self.writer.learn(call, result.as_ref());
    }

    fn broke(&self, breach: &Breach, request: &[u8], response: &Response) {
        self.caller.world.found(format!(
            "{breach}; sent {}; received {}",
            excerpt(request),
            shown(response)
        ));
    }
}
