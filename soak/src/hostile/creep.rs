//! Connections that hold the server's resources and never complete a request: heads and bodies sent
//! one byte a second, and connections that stay silent.

use std::thread;
use std::time::{Duration, Instant};

use super::forbidden;
use crate::call::post;
use crate::contract::{self, code};
use crate::http::{Connection, Response, shown};
use crate::tally::End;
use crate::world::{LibraryProcess, World};

/// The number of slow requests at a time.
const SLOW_CONNECTIONS: usize = 16;

const SLOW_HEAD: &str = "slow head";
const SLOW_BODY: &str = "slow body";

/// The number of silent connections at a time.
const SILENT_CONNECTIONS: usize = 200;

const BYTE_INTERVAL: Duration = Duration::from_secs(1);

/// The time by which the server must reject a slow request. Its limit for a body is 30 s.
const MAX_SLOW_TIME: Duration = Duration::from_secs(40);

/// A request that is being sent byte by byte.
struct Slow {
    kind: &'static str,
    at: LibraryProcess,
    connection: Connection,
    bytes: std::vec::IntoIter<u8>,
    started: Instant,
}

/// Keeps slow and silent connections open until the soak stops.
pub(crate) fn creep(world: &World) {
    let mut slow: Vec<Slow> = Vec::new();
    let mut silent: Vec<(LibraryProcess, Connection)> = Vec::new();
    while let Some(at) = world.current() {
        slow.retain_mut(|slow| advance(world, slow));
        // The server may close idle connections after a while.
        silent.retain_mut(|(since, connection)| *since == at && connection.peek());
        // Start a few at a time, as they would arrive.
        if slow.len() < SLOW_CONNECTIONS {
            slow.extend(begin(world, at));
        }
        for _ in silent.len()..SILENT_CONNECTIONS.min(silent.len() + 20) {
            world.count("hostile", "silent connection", End::Abandoned);
            if let Ok(connection) = Connection::open(at.address) {
                silent.push((at, connection));
            }
        }
        thread::sleep(BYTE_INTERVAL);
    }
}

fn begin(world: &World, at: LibraryProcess) -> Option<Slow> {
    let body = forbidden(world);
    let mut bytes = post(world, body.as_bytes());
    let (kind, quick) = if world.serial().is_multiple_of(2) {
        (SLOW_HEAD, 0)
    } else {
        (SLOW_BODY, bytes.len() - body.len())
    };
    let rest = bytes.split_off(quick);
    let mut connection = Connection::open(at.address).ok()?;
    connection.send(&bytes).ok()?;
    Some(Slow {
        kind,
        at,
        connection,
        bytes: rest.into_iter(),
        started: Instant::now(),
    })
}

/// Sends another byte. Returns whether to keep sending.
fn advance(world: &World, slow: &mut Slow) -> bool {
    let byte = slow.bytes.next();
    let open = byte.is_some_and(|byte| slow.connection.send(&[byte]).is_ok());
    let open = slow.connection.peek() && open;
    let waited = slow.started.elapsed();
    if open && slow.connection.is_silent() && waited < MAX_SLOW_TIME {
        return true;
    }
    let response = (!slow.connection.is_silent()).then(|| slow.connection.receive(false));
    let (end, checked) = match response {
        Some(Ok(response)) => (End::Answered(waited), check(slow.kind, &response)),
        // HTTP requires no response to an incomplete head.
        _ if slow.kind == SLOW_HEAD && !open => (End::Answered(waited), Ok(())),
        _ if !world.must_answer(slow.at) => (End::Lost, Ok(())),
        _ => (End::Lost, Err(format!("no response after {waited:?}"))),
    };
    world.count("hostile", slow.kind, end);
    if let Err(wrong) = checked {
        world.found(format!("{}: {wrong}", slow.kind));
    }
    false
}

/// Checks the answer to a request that never ends: a timeout, unless the service had no room for it.
fn check(kind: &str, response: &Response) -> Result<(), String> {
    let checked = if kind == SLOW_HEAD {
        contract::not_done(response)
    } else if contract::busy(response).is_ok() {
        Ok(())
    } else {
        contract::is_error(response, 408, code::INVALID_REQUEST, "null")
    };
    checked.map_err(|breach| format!("{breach}; received {}", shown(response)))
}
