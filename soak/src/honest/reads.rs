//! Calls that only read.

use fastrand::Rng;
use serde_json::json;

use super::writes::{BOOK_COUNT, Writer};
use crate::call::ExpectedCall;
use crate::contract::code;

/// Words from the catalogue, and some others.
pub(super) const SEARCH_WORDS: &[&str] = &[
    "whale",
    "the",
    "a",
    "war peace",
    "sea novel",
    "soak",
    "dostoevsky",
    "émile",
    "nothing-of-the-kind",
    "🐳 \"quoted\" AND OR",
];

/// Returns a random read.
pub(super) fn any(rng: &mut Rng, writer: &Writer) -> ExpectedCall {
    let book = rng.u32(1..=BOOK_COUNT);
    match rng.u8(..25) {
        0..4 => ExpectedCall::new("book.get", json!({"book": book})).shows("/book/id", book),
        4..6 => ExpectedCall::new("book.get", json!([f64::from(book)])).shows("/book/id", book),
        6..11 => search(rng),
        11..13 => {
            let limit = rng.u32(1..30);
            ExpectedCall::new("loan.list", json!({"limit": limit, "state": "open"}))
                .shows("/page/limit", limit)
        }
        13..15 => {
            let author = rng.u32(1..=300);
            ExpectedCall::new("author.get", json!({"author": author}))
        }
        15 => ExpectedCall::new("author.list", json!({"prefix": "m", "limit": 10})),
        16 => ExpectedCall::new("stats", json!({})),
        17..21 => match writer.acknowledged_member(rng) {
            // An acknowledged write is visible to everyone.
            Some((card, name)) => {
                ExpectedCall::new("member.get", json!({"card": card})).shows("/member/name", name)
            }
            None => ExpectedCall::new("member.get", json!(["L000001"])),
        },
        21 => ExpectedCall::new("book.get", json!({"book": 4_000_000_000_u32})).fails(&[1404]),
        22 => {
            ExpectedCall::new("book.find", json!({"limit": "ten"})).fails(&[code::INVALID_PARAMS])
        }
        23 => ExpectedCall::new("member.get", json!({"card": "L999999999"})).fails(&[1406]),
        _ => ExpectedCall::new("rpc.describe", json!([])).shows("/name", "library"),
    }
}

fn search(rng: &mut Rng) -> ExpectedCall {
    let words = rng.choice(SEARCH_WORDS).copied().unwrap_or_default();
    let order = rng
        .choice(["relevance", "title", "author", "oldest", "newest"])
        .unwrap_or_default();
    let mut params = json!({"words": words, "order": order, "limit": rng.u32(1..20)});
    if rng.bool() {
        params["available"] = json!(rng.bool());
    }
    if rng.bool() {
        params["from_year"] = json!(rng.i16(1500..1900));
    }
    ExpectedCall::new("book.find", params)
}
