//! Malformed HTTP, which is that of the fuzzer's connections, and callers that disconnect early.
//!
//! Lengths that contradict each other are how requests are smuggled past a proxy, so most of these are about
//! lengths.

use std::fmt::Write as _;
use std::sync::LazyLock;

use docent_fuzz::{sent_bytes, stored_inputs};
use fastrand::Rng;

use super::{Attack, AttackEnd, Expected, MakeAttack, forbidden, open};
use crate::call::post;
use crate::contract::code;
use crate::world::World;

pub(super) const ATTACKS: &[MakeAttack] = &[
    oversize,
    announced_oversize,
    endless,
    of_the_fuzzer,
    of_the_fuzzer,
    of_the_fuzzer,
    of_the_fuzzer,
    hang_up_in_body,
    hang_up_after_write,
    hang_up_after_write,
    header_flood,
    long_header,
];

/// The call in the fuzzer's connections.
const FUZZ_CALL: &str = r#"{"jsonrpc":"2.0","method":"echo","params":["a"],"id":1}"#;

/// The fuzzer's connections with its call in them, framed rightly and wrongly.
static FUZZ_CONNECTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let inputs = stored_inputs("connection").expect("the fuzzer's connections");
    let mut connections: Vec<String> = inputs
        .iter()
        .map(|input| String::from_utf8_lossy(sent_bytes(&input.bytes)).into_owned())
        .collect();
    connections.retain(|sent| sent.starts_with("POST ") && sent.contains(FUZZ_CALL));
    assert!(
        !connections.is_empty(),
        "no connection of the fuzzer has its call"
    );
    connections
});

/// Makes a connection of the fuzzer with a write in place of its call. Lengths of the call in the head and of chunks
/// become those of the write, so that right ones stay right and wrong ones wrong.
fn of_the_fuzzer(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let connection = rng.choice(&*FUZZ_CONNECTIONS).map_or("", String::as_str);
    let sent = connection
        .replace(&FUZZ_CALL.len().to_string(), &body.len().to_string())
        .replace(
            &format!("\r\n{:x}\r\n", FUZZ_CALL.len()),
            &format!("\r\n{:x}\r\n", body.len()),
        )
        .replace(FUZZ_CALL, &body);
    Attack::new(
        "fuzzer's connection",
        sent.into_bytes(),
        Expected::NoResultOrEnd,
    )
    .then(AttackEnd::Ends)
}

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
