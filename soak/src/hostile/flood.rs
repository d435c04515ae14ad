//! Bursts of four times as many calls as may run at once.
//!
//! Calls above the limit are rejected at once. None may be lost, and afterwards the service works as before.

use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::json;

use crate::call::{ExpectedCall, post};
use crate::contract::{self, Outcome, Version, code};
use crate::http::{Connection, excerpt, shown};
use crate::tally::End;
use crate::world::{LibraryProcess, World};

/// 1,024 calls may run at once, and 16 of a batch. 256 batches are four times as many.
const FLOOD_CONNECTIONS: usize = 256;
const CALLS_PER_BATCH: usize = 16;

/// The time by which the service must accept calls again.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(30);

/// Floods the service from time to time until the soak stops.
pub(crate) fn flood(world: &World) {
    let mut rng = Rng::with_seed(world.seed ^ 0xf100_d000);
    let mut wait = Duration::from_secs(2);
    loop {
        let start = Instant::now();
        while start.elapsed() < wait {
            if world.is_over() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        let Some(at) = world.current() else {
            return;
        };
        burst(world, at, &mut rng);
        wait = Duration::from_secs(rng.u64(5..20));
    }
}

fn burst(world: &World, at: LibraryProcess, rng: &mut Rng) {
    let call = ExpectedCall::new(
        "book.find",
        json!({"words": "a", "limit": 1, "order": "author"}),
    );
    let entries = vec![call.text(Version::V2_0); CALLS_PER_BATCH].join(",");
    let body = format!("[{entries}]").into_bytes();
    let request = post(world, &body);
    let mut connections = Vec::new();
    for _ in 0..FLOOD_CONNECTIONS {
        let Ok(mut connection) = Connection::open(at.address) else {
            break;
        };
        if connection.send(&request).is_ok() {
            connections.push(connection);
        }
    }
    // Some callers do not wait for their responses.
    let waiting = if rng.u8(..4) == 0 {
        rng.usize(..connections.len().max(1))
    } else {
        connections.len()
    };
    for _ in connections.drain(waiting..) {
        world.count("hostile", "burst of 16 calls", End::Abandoned);
    }
    for connection in connections {
        read(world, at, connection, &body);
    }
    recover(world, at);
}

fn read(world: &World, at: LibraryProcess, mut connection: Connection, body: &[u8]) {
    let start = Instant::now();
    let response = match connection.receive(false) {
        Ok(response) => response,
        Err(trouble) => {
            world.count("hostile", "burst of 16 calls", End::Lost);
            if world.must_answer(at) {
                world.found(format!("burst: no response: {trouble}"));
            }
            return;
        }
    };
    if contract::busy(&response).is_ok() {
        let time = start.elapsed();
        return world.count("hostile", "burst of 16 calls", End::Shed(time));
    }
    let busy = Outcome::Error(code::BUSY);
    let end = match contract::posted(&response, body) {
        Ok(outcomes) if outcomes.iter().all(is_fine) && outcomes.contains(&busy) => {
            End::Shed(start.elapsed())
        }
        Ok(outcomes) if outcomes.iter().all(is_fine) => End::Answered(start.elapsed()),
        checked => {
            world.found(format!(
                "burst: {checked:?}; sent {}; received {}",
                excerpt(body),
                shown(&response)
            ));
            End::Abandoned
        }
    };
    world.count("hostile", "burst of 16 calls", end);
}

/// Returns whether a call may end like this in a burst.
fn is_fine(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Result(_) => true,
        Outcome::Error(code) => [code::BUSY, code::TIMED_OUT].contains(code),
    }
}

/// Checks that the service accepts calls again after a burst, without help.
fn recover(world: &World, at: LibraryProcess) {
    let call = ExpectedCall::new("book.get", json!({"book": 1}));
    let body = call.text(Version::V2_0);
    let request = post(world, body.as_bytes());
    let start = Instant::now();
    while world.must_answer(at) {
        let response = Connection::open(at.address).and_then(|mut connection| {
            connection.send(&request)?;
            connection.receive(false)
        });
        if let Ok(response) = response
            && let Ok(outcomes) = contract::posted(&response, body.as_bytes())
            && matches!(*outcomes, [Outcome::Result(_)])
        {
            return;
        }
        if start.elapsed() > RECOVERY_TIMEOUT {
            return world.found(format!(
                "burst: calls are still rejected {RECOVERY_TIMEOUT:?} later"
            ));
        }
        thread::sleep(Duration::from_millis(50));
    }
}
