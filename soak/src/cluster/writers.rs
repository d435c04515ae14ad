//! Callers that repeat a write with its key until it is answered.
//!
//! They behave as the guide tells clients to: the same key again, with a pause that doubles, until an answer is
//! final.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};

use super::Places;
use super::report::ClusterReport;
use crate::ANSWER_TIMEOUT;
use crate::call::{ExpectedCall, post};
use crate::contract::{Outcome, Version};
use crate::honest::{add_book, add_member, conflict};
use crate::http::{Connection, Response, Trouble, shown};
use crate::ledger::Kind;
use crate::world::World;

/// The pause before the first repetition. It doubles each time, up to sixteen times this length.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

/// Writes until the soak stops.
pub(super) fn work(world: &World, report: &ClusterReport, places: Places<'_>, number: u64) {
    let mut writer = Writer {
        world,
        report,
        places,
        book: None,
        rng: Rng::with_seed(world.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    };
    while !world.is_over() {
        match writer.rng.u8(..10) {
            0..3 => drop(writer.keyed(add_member(world))),
            3..5 => drop(writer.at_once(add_member(world))),
            5 => writer.check_conflict(),
            6 => writer.unkeyed(),
            // Without an answer in time, which is a finding, there is nothing to go on with.
            _ => drop(writer.lend()),
        }
        thread::sleep(world.pause);
    }
}

struct Writer<'w> {
    world: &'w World,
    report: &'w ClusterReport,
    places: Places<'w>,
    /// The number of a book that only this writer lends.
    book: Option<Value>,
    rng: Rng,
}

/// A call and its text.
struct KeyedWrite {
    call: ExpectedCall,
    body: String,
}

impl KeyedWrite {
    fn new(call: ExpectedCall) -> Self {
        let body = call.text(Version::V2_0);
        Self { call, body }
    }
}

impl Writer<'_> {
    /// Notes a write, and returns it with its text.
    fn noted(&self, call: ExpectedCall) -> KeyedWrite {
        call.note(self.world);
        KeyedWrite::new(call)
    }

    /// Sends a write with a key until it is answered. Returns the result.
    fn keyed(&mut self, call: ExpectedCall) -> Option<Value> {
        let write = self.noted(call.keyed(self.world));
        self.repeat(&write, |writer| {
            // Occasionally hang up before the answer, as if the connection had broken.
            if writer.report.is_calm(Instant::now()) || writer.rng.u8(..8) > 0 {
                writer.ask_for_result(&write)
            } else {
                writer.cut(&write);
                None
            }
        })
    }

    /// Sends a write with one key to two instances at the same moment, and then until it is answered.
    fn at_once(&mut self, call: ExpectedCall) -> Option<Value> {
        let write = self.noted(call.keyed(self.world));
        let instances = self.places.instances;
        let places = [self.rng.choice(instances), self.rng.choice(instances)];
        thread::scope(|scope| {
            let Self { world, report, .. } = *self;
            let write = &write;
            for place in places.into_iter().flatten() {
                scope.spawn(move || {
                    // An instance that is being replaced refuses connections, so count only its
                    // answers.
                    let response = send(world, *place, write).ok();
                    if let Some(result) = response.as_ref().and_then(result) {
                        acknowledge(world, report, write, result);
                    }
                });
            }
        });
        self.repeat(&write, |writer| writer.ask_for_result(&write))
    }

    /// Lends a book to a new member and takes it back. Followers are told of both.
    fn lend(&mut self) -> Option<Value> {
        if self.book.is_none() {
            let book = self.keyed(add_book(self.world))?;
            self.book = Some(book["id"].clone());
        }
        let member = self.keyed(add_member(self.world))?;
        let card = member["card"].as_str()?;
        let book = self.book.as_ref()?;
        let start = ExpectedCall::new("loan.start", json!({"book": book, "member": card}))
            .writes(Kind::Loan, format!("{card}/{book}"));
        let loan = self.at_once(start)?;
        let number = &loan["id"];
        let end = ExpectedCall::new("loan.end", json!({"loan": number}))
            .writes(Kind::Return, number.to_string());
        self.keyed(end)
    }

    /// Sends a call that the library refuses until it is answered, and then sends it to each instance.
    /// Each must refuse it in the same words, without deciding about it again.
    fn check_conflict(&mut self) {
        let write = KeyedWrite::new(conflict(&mut self.rng).keyed(self.world));
        let first = self.repeat(&write, |writer| {
            writer.ask(&write, |response| {
                if let Some(result) = result(response) {
                    // A result here is a finding.
                    write.call.settle(writer.world, Outcome::Result(result));
                }
                final_error(response)
            })
        });
        let Some(first) = first else {
            return;
        };
        self.report.refused.add_one();
        for place in self.places.instances {
            // The instance may have been killed.
            let Ok(response) = send(self.world, *place, &write) else {
                continue;
            };
            if let Some(again) = final_error(&response) {
                if again != first || !is_replayed(&response) {
                    let body = &write.body;
                    self.world
                        .found(format!("{body}: {first}, then {}", shown(&response)));
                }
                self.report.replayed.add_one();
            }
        }
    }

    /// Sends a write without a key, once.
    fn unkeyed(&self) {
        self.ask_for_result(&self.noted(add_member(self.world)));
    }

    /// Repeats attempts with pauses until one returns something. Reports a finding if none does in
    /// time.
    fn repeat<T>(
        &mut self,
        write: &KeyedWrite,
        mut attempt: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let outcome = attempt(self);
            if outcome.is_some() {
                return outcome;
            }
            if start.elapsed() > ANSWER_TIMEOUT {
                let body = &write.body;
                self.world
                    .found(format!("{body}: no final answer in {ANSWER_TIMEOUT:?}"));
                return None;
            }
            self.report.repeated.add_one();
            thread::sleep(pause);
            pause = (pause * 2).min(FIRST_PAUSE * 16);
        }
    }

    fn ask_for_result(&self, write: &KeyedWrite) -> Option<Value> {
        let result = self.ask(write, result)?;
        acknowledge(self.world, self.report, write, result.clone());
        Some(result)
    }

    /// Sends a call through the proxy, and returns what `read` finds in the answer. If that is nothing,
    /// the call has failed, which is a finding in calm times.
    fn ask<T>(&self, write: &KeyedWrite, read: impl Fn(&Response) -> Option<T>) -> Option<T> {
        let sent = Instant::now();
        let seen = match send(self.world, self.places.proxy, write) {
            Ok(response) => {
                if let Some(found) = read(&response) {
                    if is_replayed(&response) {
                        self.report.replayed.add_one();
                    }
                    return Some(found);
                }
                shown(&response)
            }
            Err(trouble) => trouble.to_string(),
        };
        if self.report.is_calm(sent) {
            self.world.found(format!("{}: {seen}", write.body));
        }
        self.report.failed.add_one();
        None
    }

    /// Sends a call through the proxy and closes the connection soon after.
    fn cut(&mut self, write: &KeyedWrite) {
        if let Ok(mut connection) = Connection::open(self.places.proxy) {
            let _ = connection.send(&post(self.world, write.body.as_bytes()));
            thread::sleep(Duration::from_millis(self.rng.u64(..10)));
            self.report.cut.add_one();
        }
    }
}

fn send(world: &World, place: SocketAddr, write: &KeyedWrite) -> Result<Response, Trouble> {
    let mut connection = Connection::open(place)?;
    connection.send(&post(world, write.body.as_bytes()))?;
    connection.receive(false)
}

fn is_replayed(response: &Response) -> bool {
    response.header("idempotent-replayed").is_some()
}

/// Returns the result of an answer, if it has one.
fn result(response: &Response) -> Option<Value> {
    let response: Value = serde_json::from_slice(&response.body).ok()?;
    response.get("result").cloned()
}

/// Returns the error of an answer, if it has a final one from the library itself.
fn final_error(response: &Response) -> Option<Value> {
    let response: Value = serde_json::from_slice(&response.body).ok()?;
    let error = response.get("error")?;
    let code = error["code"].as_i64()?;
    Outcome::Error(code).is_kept().then(|| error.clone())
}

/// Records the number that a result gives to the member. A second number for the same write is a finding.
fn acknowledge(world: &World, report: &ClusterReport, write: &KeyedWrite, result: Value) {
    write.call.settle(world, Outcome::Result(result));
    report.acknowledged.add_one();
}
