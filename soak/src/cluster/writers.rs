//! Callers who repeat a write with its key until it is answered.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::Value;

use super::report::Report;
use crate::PATIENCE;
use crate::call::{Call, post};
use crate::contract::{Outcome, Version};
use crate::honest::{add_member, conflict};
use crate::http::{Answer, Connection, Trouble, shown};
use crate::world::World;

/// The pause before the first repetition. It doubles, up to sixteen times as long.
const PAUSE: Duration = Duration::from_millis(20);

/// Writes until the soak stops.
pub(super) fn work(
    world: &World,
    report: &Report,
    proxy: SocketAddr,
    instances: &[SocketAddr],
    number: u64,
) {
    let mut writer = Writer {
        world,
        report,
        proxy,
        rng: Rng::with_seed(world.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    };
    while !world.is_over() {
        match writer.rng.u8(..10) {
            0..5 => writer.keyed(),
            5..7 => writer.at_once(instances),
            7 => writer.refused(instances),
            _ => writer.unkeyed(),
        }
        thread::sleep(world.pause);
    }
}

struct Writer<'w> {
    world: &'w World,
    report: &'w Report,
    proxy: SocketAddr,
    rng: Rng,
}

/// A call and its text.
struct Write {
    call: Call,
    body: String,
}

impl Write {
    fn of(call: Call) -> Self {
        let body = call.text(Version::V2_0);
        Self { call, body }
    }
}

impl Writer<'_> {
    /// Returns a write of a member whose name no other write has.
    fn write(&self, keyed: bool) -> Write {
        let call = add_member(self.world);
        let call = if keyed { call.keyed(self.world) } else { call };
        call.note(self.world);
        Write::of(call)
    }

    /// Sends a write with a key until it is answered.
    fn keyed(&mut self) {
        let write = self.write(true);
        let start = Instant::now();
        for attempt in 0_u32.. {
            let sent = Instant::now();
            // Now and then the answer is not waited for, as if the connection had broken.
            if self.report.is_calm(sent) || self.rng.u8(..8) > 0 {
                let answer = send(self.world, self.proxy, &write);
                if self.settle(&write, sent, &answer) {
                    return;
                }
            } else if let Ok(mut connection) = Connection::open(self.proxy) {
                let _ = connection.send(&post(self.world, write.body.as_bytes()));
                thread::sleep(Duration::from_millis(self.rng.u64(..10)));
                self.report.cut();
            }
            if start.elapsed() > PATIENCE {
                let body = &write.body;
                self.world
                    .found(format!("{body}: no result in {PATIENCE:?}"));
                return;
            }
            self.report.repeated();
            thread::sleep(PAUSE * 2_u32.pow(attempt.min(4)));
        }
    }

    /// Sends a write with one key to two instances at the same moment, and then until it is answered.
    fn at_once(&mut self, instances: &[SocketAddr]) {
        let write = self.write(true);
        let places = [self.rng.choice(instances), self.rng.choice(instances)];
        thread::scope(|scope| {
            for place in places.into_iter().flatten() {
                let (world, report, write) = (self.world, self.report, &write);
                scope.spawn(move || {
                    // An instance that is being replaced refuses connections, so only what it answers counts.
                    if let Some(result) = send(world, *place, write).ok().and_then(|it| result(&it))
                    {
                        acknowledge(world, report, write, &result);
                    }
                });
            }
        });
        loop {
            let sent = Instant::now();
            let answer = send(self.world, self.proxy, &write);
            if self.settle(&write, sent, &answer) || sent.elapsed() > PATIENCE {
                return;
            }
            thread::sleep(PAUSE * 4);
            if self.world.is_over() {
                return;
            }
        }
    }

    /// Sends a call that the library refuses, until it is answered, and then to each instance, which has
    /// to refuse it in the same words, without looking again.
    fn refused(&mut self, instances: &[SocketAddr]) {
        let write = Write::of(conflict(&mut self.rng).keyed(self.world));
        let start = Instant::now();
        let first = loop {
            let sent = Instant::now();
            let answer = send(self.world, self.proxy, &write);
            if let Some(error) = answer.as_ref().ok().and_then(refusal) {
                self.report.refused();
                break error;
            }
            self.settle(&write, sent, &answer);
            if start.elapsed() > PATIENCE {
                let body = &write.body;
                self.world
                    .found(format!("{body}: no error in {PATIENCE:?}"));
                return;
            }
            thread::sleep(PAUSE);
        };
        for place in instances {
            // It may have been killed.
            let Ok(answer) = send(self.world, *place, &write) else {
                continue;
            };
            if let Some(again) = refusal(&answer) {
                let is_replayed = answer.header("idempotent-replayed").is_some();
                if again != first || !is_replayed {
                    let body = &write.body;
                    self.world
                        .found(format!("{body}: {first}, then {}", shown(&answer)));
                }
                self.report.replay();
            }
        }
    }

    /// Sends a write without a key, once.
    fn unkeyed(&mut self) {
        let write = self.write(false);
        let sent = Instant::now();
        let answer = send(self.world, self.proxy, &write);
        self.settle(&write, sent, &answer);
    }

    /// Records an answer, and returns whether it is a result. In calm times it has to be one.
    fn settle(&self, write: &Write, sent: Instant, answer: &Result<Answer, Trouble>) -> bool {
        let seen = match answer {
            Ok(answer) => match result(answer) {
                Some(result) => {
                    if answer.header("idempotent-replayed").is_some() {
                        self.report.replay();
                    }
                    acknowledge(self.world, self.report, write, &result);
                    return true;
                }
                None => shown(answer),
            },
            Err(trouble) => trouble.to_string(),
        };
        if self.report.is_calm(sent) {
            self.world.found(format!("{}: {seen}", write.body));
        }
        self.report.failed();
        false
    }
}

fn send(world: &World, place: SocketAddr, write: &Write) -> Result<Answer, Trouble> {
    let mut connection = Connection::open(place)?;
    connection.send(&post(world, write.body.as_bytes()))?;
    connection.receive(false)
}

/// Returns the result, if the answer has one.
fn result(answer: &Answer) -> Option<Value> {
    let answer: Value = serde_json::from_slice(&answer.body).ok()?;
    answer.get("result").cloned()
}

/// Returns the error, if the answer has one that the library has decided on.
fn refusal(answer: &Answer) -> Option<Value> {
    let answer: Value = serde_json::from_slice(&answer.body).ok()?;
    let error = answer.get("error")?;
    let code = error["code"].as_i64()?;
    Outcome::Error(code).is_kept().then(|| error.clone())
}

/// Records the number that a result gives to the member. A second number for the same write is a finding.
fn acknowledge(world: &World, report: &Report, write: &Write, result: &Value) {
    let outcome = Outcome::Result(result.clone());
    write.call.settle(world, outcome);
    report.acknowledged();
}
