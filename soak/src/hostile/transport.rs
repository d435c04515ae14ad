//! Malformed HTTP, and callers that disconnect early.
//!
//! Lengths that contradict each other are how requests are smuggled past a proxy, so most of these are about
//! lengths.

use std::fmt::Write as _;

use fastrand::Rng;

use super::{Attack, AttackEnd, Expected, MakeAttack, forbidden, open};
use crate::call::post;
use crate::contract::code;
use crate::world::World;

pub(super) const ATTACKS: &[MakeAttack] = &[
    oversize,
    announced_oversize,
    endless,
    shorter_than_said,
    longer_than_said,
    lengths_that_differ,
    broken_chunks,
    hang_up_in_body,
    hang_up_after_write,
    hang_up_after_write,
    header_flood,
    long_header,
    no_http,
];

/// Returns a POST of a write with these framing header fields in place of its length.
fn framed(world: &World, body: &str, framing: &str) -> Vec<u8> {
    let head = String::from_utf8_lossy(&post(world, b"")).replace("Content-Length: 0\r\n", framing);
    format!("{head}{body}").into_bytes()
}

fn too_large() -> Expected {
    Expected::Error(413, code::REQUEST_TOO_LARGE, "null".to_owned())
}

fn oversize(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world) + &" ".repeat(2 << 20);
    Attack::new("body too large", post(world, body.as_bytes()), too_large())
}

fn announced_oversize(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let bytes = framed(world, &body, "Content-Length: 1000000000000\r\n");
    Attack::new("declared body too large", bytes, too_large())
}

/// Returns a chunked body without an end. The sender stops at some point, to bound its own work.
fn endless(world: &World, _: &mut Rng) -> Attack {
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x1_0000));
    let bytes = framed(world, &chunk.repeat(40), "Transfer-Encoding: chunked\r\n");
    Attack::new("body without an end", bytes, too_large())
}

/// Makes a write whose body is shorter than its `Content-Length`.
fn shorter_than_said(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let framing = format!("Content-Length: {}\r\n", body.len() + 10);
    Attack::new(
        "length too small",
        framed(world, &body, &framing),
        Expected::ErrorOrEnd,
    )
    .then(AttackEnd::Ends)
}

/// Makes a write whose body is longer than its `Content-Length`. The server reads the rest of the body
/// as the next request, which is malformed.
fn longer_than_said(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let framing = format!("Content-Length: {}\r\n", rng.usize(1..body.len()));
    let expected = Expected::Error(200, code::PARSE_ERROR, "null".to_owned());
    Attack::new("length too large", framed(world, &body, &framing), expected)
        .then(AttackEnd::Leaves)
}

fn lengths_that_differ(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let length = body.len();
    let framing = match rng.u8(..5) {
        0 => format!("Content-Length: {length}\r\nContent-Length: 5\r\n"),
        1 => "Content-Length: -1\r\n".to_owned(),
        2 => format!("Content-Length: +{length}\r\n"),
        3 => format!("Content-Length: {length}, {length}\r\n"),
        _ => "Content-Length: 99999999999999999999999\r\n".to_owned(),
    };
    Attack::new(
        "lengths",
        framed(world, &body, &framing),
        Expected::ErrorOrEnd,
    )
}

fn broken_chunks(world: &World, rng: &mut Rng) -> Attack {
    let write = forbidden(world);
    let length = write.len();
    let half = length / 2;
    let body = match rng.u8(..5) {
        0 => format!("zz\r\n{write}\r\n0\r\n\r\n"),
        1 => format!("{length:x}\r\n{write}xx0\r\n\r\n"),
        2 => format!("-1\r\n{write}\r\n0\r\n\r\n"),
        3 => format!("ffffffffffffffffff\r\n{write}\r\n0\r\n\r\n"),
        _ => format!("{half:x}\r\n{write}\r\n0\r\n\r\n"),
    };
    let bytes = framed(world, &body, "Transfer-Encoding: chunked\r\n");
    Attack::new("chunks", bytes, Expected::ErrorOrEnd).then(AttackEnd::Ends)
}

fn hang_up_in_body(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let mut bytes = post(world, body.as_bytes());
    bytes.truncate(bytes.len() - rng.usize(1..body.len()));
    let then = if rng.bool() {
        AttackEnd::Ends
    } else {
        AttackEnd::HangsUp
    };
    Attack::new("hang-up in a body", bytes, Expected::ErrorOrEnd).then(then)
}

fn hang_up_after_write(world: &World, _: &mut Rng) -> Attack {
    let bytes = post(world, open(world).as_bytes());
    Attack::new("hang-up after a write", bytes, Expected::ErrorOrEnd).then(AttackEnd::HangsUp)
}

fn header_flood(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let mut headers = format!("Content-Length: {}\r\n", body.len());
    for number in 0..2_000 {
        // Writing to a `String` cannot fail.
        let _ = write!(headers, "X-{number}: {number}\r\n");
    }
    Attack::new(
        "header flood",
        framed(world, &body, &headers),
        Expected::ErrorOrEnd,
    )
}

fn long_header(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let long = "x".repeat(1 << 20);
    let headers = format!("X-Long: {long}\r\nContent-Length: {}\r\n", body.len());
    Attack::new(
        "long header",
        framed(world, &body, &headers),
        Expected::ErrorOrEnd,
    )
}

fn no_http(_: &World, rng: &mut Rng) -> Attack {
    let bytes = match rng.u8(..5) {
        0 => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        1 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        2 => b"{\"jsonrpc\":\"2.0\",\"method\":\"stats\",\"id\":1}\r\n\r\n".to_vec(),
        3 => b"POST /rpc HTTP/9.9\r\n\r\n".to_vec(),
        _ => (0..1_000).map(|_| rng.u8(..)).collect(),
    };
    Attack::new("no HTTP", bytes, Expected::ErrorOrEnd).then(AttackEnd::Ends)
}
