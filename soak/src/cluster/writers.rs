//! Callers who repeat a write with its key until it is answered.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};

use super::report::Report;
use crate::PATIENCE;
use crate::call::post;
use crate::http::{Answer, Connection, Trouble, shown};
use crate::ledger::{Kind, Written};
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
            0..6 => writer.keyed(),
            6..8 => writer.at_once(instances),
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

/// A write of a member whose name no other write has.
struct Write {
    name: String,
    body: String,
}

impl Writer<'_> {
    fn write(&self, keyed: bool) -> Write {
        let name = format!("Soak member {}", self.world.serial());
        let mut call = json!({
            "jsonrpc": "2.0", "method": "member.add", "params": {"name": name}, "id": 1,
        });
        if keyed {
            call["x-idempotency-key"] = json!(name.replace(' ', "-"));
        }
        self.world.ledger().send(Kind::Member, &name);
        let body = call.to_string();
        Write { name, body }
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
                let name = &write.name;
                self.world
                    .found(format!("{name}: no result in {PATIENCE:?}"));
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

    /// Sends a write without a key, once.
    fn unkeyed(&mut self) {
        let write = self.write(false);
        let sent = Instant::now();
        let answer = send(self.world, self.proxy, &write);
        self.settle(&write, sent, &answer);
    }

    /// Records an answer, and returns whether it is a result. In calm times it has to be one.
    fn settle(&self, write: &Write, sent: Instant, answer: &Result<Answer, Trouble>) -> bool {
        let name = &write.name;
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
            self.world.found(format!("{name}: {seen}"));
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

/// Records the number that a result gives to the member. A second number for the same write is a finding.
fn acknowledge(world: &World, report: &Report, write: &Write, result: &Value) {
    let written = Written::read(Kind::Member, result);
    let Some(written) = written.filter(|written| written.key == write.name) else {
        world.found(format!("{}: answered with {result}", write.name));
        return;
    };
    if let Err(finding) = world.ledger().acknowledge(written) {
        world.found(finding.to_string());
    }
    report.acknowledged();
}
