//! Malformed bodies: those of the fuzzer, and writes damaged on purpose. The fuzzer's oracle says of both which response
//! is right.
//!
//! Most of a damaged write is still a write: it must be refused as a whole.

use std::sync::LazyLock;

use docent_fuzz::{StoredInput, stored_inputs};
use fastrand::Rng;

use super::{Attack, Expected, MakeAttack, forbidden};
use crate::call::{post, post_with};
use crate::contract::code;
use crate::http::request;
use crate::world::World;

pub(super) const ATTACKS: &[MakeAttack] = &[
    of_the_fuzzer,
    of_the_fuzzer,
    of_the_fuzzer,
    damaged,
    damaged,
    damaged,
    media_type,
    compressed,
    wrong_address,
    wrong_parameters,
];

/// Bodies of every kind of mistake: nesting, numbers, encodings, batches, members without end.
static FUZZ_BODIES: LazyLock<Vec<StoredInput>> =
    LazyLock::new(|| stored_inputs("body").expect("the fuzzer's bodies"));

fn of_the_fuzzer(world: &World, rng: &mut Rng) -> Attack {
    let body = rng
        .choice(&*FUZZ_BODIES)
        .map_or(&[][..], |input| &input.bytes);
    attack(world, "fuzzer's body", body, Expected::Predicted)
}

/// Fragments that damage a body: delimiters, invalid bytes and duplicate members.
const BODY_SCRAPS: &[&[u8]] = &[
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\x00",
    b"\x1f",
    b"\xef\xbb\xbf",
    b"\"",
    b"\\ud800",
    b"\\x53",
    b"{",
    b"]",
    b",",
    b"0",
    b"NaN",
    b"// x\n",
    b"\"id\":7,",
    b"\"i\\u0064\":8,",
    b"\"\\u006dethod\":\"stats\",",
    b"\"params\":{},",
    b"\"n\\u0061me\":\"Soak\",",
];

/// Returns an unauthorised write that is cut short, or has bytes inserted or removed.
fn damaged(world: &World, rng: &mut Rng) -> Attack {
    let mut body = forbidden(world).into_bytes();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..=body.len());
        let end = (at + rng.usize(..4)).min(body.len());
        let scrap = rng.choice(BODY_SCRAPS).copied().unwrap_or_default();
        match rng.u8(..4) {
            0 => body.truncate(at),
            1 => drop(body.drain(at..end)),
            // Insert a member after the opening bracket.
            2 => drop(body.splice(1.min(body.len())..1.min(body.len()), scrap.iter().copied())),
            _ => drop(body.splice(at..end, scrap.iter().copied())),
        }
    }
    let headers = [("Content-Type", "application/json")];
    let bytes = request("POST", "/rpc", &headers, Some(&body));
    Attack::new("damaged body", bytes, Expected::Predicted)
}

/// Expects an error under the id that hostile writes have.
fn answered(code: i64) -> Expected {
    Expected::Error(200, code, "7".to_owned())
}

fn attack(world: &World, kind: &'static str, body: &[u8], expected: Expected) -> Attack {
    Attack::new(kind, post(world, body), expected)
}

fn media_type(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let json = ("Content-Type", "application/json");
    let headers: &[(&str, &str)] = match rng.u8(..7) {
        0 => &[],
        1 => &[("Content-Type", "text/plain")],
        2 => &[("Content-Type", "application/x-www-form-urlencoded")],
        3 => &[("Content-Type", "application/json; charset=latin1")],
        4 => &[json, json],
        5 => &[("Content-Type", "application/jsonp")],
        _ => &[("Content-Type", "multipart/form-data; boundary=\"x\"")],
    };
    let bytes = post_with(world, headers, body.as_bytes());
    let expected = Expected::Error(415, code::INVALID_REQUEST, "null".to_owned());
    Attack::new("media type", bytes, expected)
}

fn compressed(world: &World, rng: &mut Rng) -> Attack {
    let body = forbidden(world);
    let coding = ["gzip", "deflate", "br", "identity, gzip", "x"][rng.usize(..5)];
    let headers = [
        ("Content-Type", "application/json"),
        ("Content-Encoding", coding),
    ];
    let bytes = post_with(world, &headers, body.as_bytes());
    let expected = Expected::Error(415, code::INVALID_REQUEST, "null".to_owned());
    Attack::new("content coding", bytes, expected)
}

fn wrong_address(world: &World, _: &mut Rng) -> Attack {
    let body = forbidden(world);
    let bytes = post(world, body.as_bytes());
    let bytes = String::from_utf8_lossy(&bytes).replacen("/rpc ", "/rpc/book.find ", 1);
    let expected = answered(code::INVALID_REQUEST);
    Attack::new("another procedure's address", bytes.into_bytes(), expected)
}

fn wrong_parameters(world: &World, rng: &mut Rng) -> Attack {
    let write = forbidden(world);
    let body = match rng.u8(..4) {
        0 => write.replace(r#"{"name":"#, r#"{"more":1,"name":"#),
        1 => write.replace("Soak", &"x".repeat(201)),
        2 => write.replace(r#"{"name":"#, r#"{"":"#),
        _ => write.replace(r#""name":"#, r#""name":null,"x":"#),
    };
    let expected = answered(code::INVALID_PARAMS);
    attack(world, "wrong parameters", body.as_bytes(), expected)
}
