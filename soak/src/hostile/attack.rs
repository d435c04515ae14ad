//! An attack: the bytes that are sent, and the expected response.
//!
//! Some attackers do not wait for it, or hang up in between; then the next caller shows whether harm was done.

use std::time::Instant;

use super::ATTACK_ID;
use crate::caller::Caller;
use crate::contract::{self, Breach, Outcome, code};
use crate::http::{Connection, Response, Trouble, excerpt, shown};
use crate::tally::End;
use crate::world::World;

/// The expected response to an attack.
#[derive(Debug, Clone)]
pub(super) enum Expected {
    /// A JSON-RPC error with this status, this code and an id with this text.
    Error(u16, i64, String),
    /// The response that the oracle predicts for the body.
    Predicted,
    /// A guard's rejection for each of this many calls.
    Rejected(usize),
    /// No body: a notification, or OPTIONS.
    NoContent,
    /// The response of GET or HEAD to an error with this code.
    Get(i64),
    /// An error of HTTP or of the service, or the end of the connection.
    ErrorOrEnd,
    /// Any response without a result, or the end of the connection.
    NoResultOrEnd,
}

impl Expected {
    /// Returns whether the server may end the connection instead of a response.
    fn allows_end(&self) -> bool {
        matches!(self, Self::ErrorOrEnd | Self::NoResultOrEnd)
    }
}

/// The behaviour of an attacker after sending everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttackEnd {
    /// Waits for the response.
    Waits,
    /// Closes the sending side and waits for the response.
    Ends,
    /// Hangs up.
    HangsUp,
}

/// An attack: the bytes that are sent, and the expected response.
pub(super) struct Attack {
    kind: &'static str,
    bytes: Vec<u8>,
    then: AttackEnd,
    expected: Expected,
}

impl Attack {
    pub(super) fn new(kind: &'static str, bytes: Vec<u8>, expected: Expected) -> Self {
        let then = AttackEnd::Waits;
        Self {
            kind,
            bytes,
            then,
            expected,
        }
    }

    pub(super) fn then(mut self, then: AttackEnd) -> Self {
        self.then = then;
        self
    }
}

/// Carries out an attack.
pub(super) fn carry_out(caller: &mut Caller<'_>, attack: &Attack) {
    let response = match (attack.then, &attack.expected) {
        (AttackEnd::Waits, expected) if !expected.allows_end() => {
            caller.call(attack.kind, &attack.bytes)
        }
        _ => rough(caller.world, attack),
    };
    let Some(response) = response else {
        return;
    };
    if !is_shed(attack, &response)
        && let Err(breach) = check(attack, &response)
    {
        caller.world.found(format!(
            "{}: {breach}; sent {}; received {}",
            attack.kind,
            excerpt(&attack.bytes),
            shown(&response)
        ));
    }
}

/// Returns whether the service is overloaded, which is always allowed.
fn is_shed(attack: &Attack, response: &Response) -> bool {
    let get = ["GET ", "HEAD "].map(|method| attack.bytes.starts_with(method.as_bytes()));
    match get {
        // Before the body was read, or after it.
        [false, false] => {
            contract::busy(response).is_ok()
                || contract::is_error(response, 200, code::BUSY, ATTACK_ID).is_ok()
        }
        [_, head] => contract::get_error(response, head, code::BUSY).is_ok(),
    }
}

/// Checks the answer to an attack: it is the one that is expected.
fn check(attack: &Attack, response: &Response) -> Result<(), Breach> {
    match &attack.expected {
        Expected::Error(status, code, id) => contract::is_error(response, *status, *code, id),
        Expected::Predicted => contract::posted(response, body(&attack.bytes)).map(drop),
        Expected::Rejected(length) => {
            let outcomes = contract::posted(response, body(&attack.bytes))?;
            if outcomes.len() != *length {
                return Err(Breach::new(format_args!("{} answers", outcomes.len())));
            }
            outcomes.iter().try_for_each(is_rejected)
        }
        Expected::NoContent => contract::no_answer(response),
        Expected::Get(code) => {
            let head = attack.bytes.starts_with(b"HEAD ");
            contract::get_error(response, head, *code)
        }
        Expected::ErrorOrEnd => contract::not_done(response),
        Expected::NoResultOrEnd => contract::no_result(response),
    }
}

/// Returns the part of a request after its head.
fn body(request: &[u8]) -> &[u8] {
    let end = request.windows(4).position(|four| four == b"\r\n\r\n");
    end.map_or(&[], |end| &request[end + 4..])
}

/// Calls are counted before guards run, so a call may also be rejected as one too many.
fn is_rejected(outcome: &Outcome) -> Result<(), Breach> {
    if *outcome == Outcome::Error(code::BUSY) {
        return Ok(());
    }
    contract::is(outcome, &Outcome::Error(code::REFUSED))
}

/// Carries out an attack that ends its connection, or that allows the server to end it.
fn rough(world: &World, attack: &Attack) -> Option<Response> {
    let at = world.current()?;
    let start = Instant::now();
    let Ok(mut connection) = Connection::open(at.address) else {
        if world.must_answer(at) {
            world.found(format!("{}: cannot connect", attack.kind));
        }
        return None;
    };
    // The server may have rejected the request and closed the connection before reading everything.
    let sent = connection.send(&attack.bytes);
    let sent = match attack.then {
        AttackEnd::HangsUp => {
            world.count("hostile", attack.kind, End::Abandoned);
            return None;
        }
        AttackEnd::Ends => sent.and_then(|()| connection.end()),
        AttackEnd::Waits => sent,
    };
    match sent.and_then(|()| connection.receive(false)) {
        Ok(response) => {
            let end = End::Answered(start.elapsed());
            world.count("hostile", attack.kind, end);
            Some(response)
        }
        Err(trouble) => {
            // If HTTP itself was malformed, closing the connection is a valid response.
            let may_end = attack.expected.allows_end() && matches!(trouble, Trouble::Broken(_));
            let end = if may_end {
                End::Answered(start.elapsed())
            } else {
                End::Lost
            };
            world.count("hostile", attack.kind, end);
            if !may_end && world.must_answer(at) {
                let sent = excerpt(&attack.bytes);
                let kind = attack.kind;
                world.found(format!("{kind}: no response ({trouble}) to {sent}"));
            }
            None
        }
    }
}
