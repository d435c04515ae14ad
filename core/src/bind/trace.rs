//! The location of a value that serde rejected after its text had been read.
//!
//! Flattened structs and untagged and tagged enums are decoded from serde's own buffer, which does
//! not record locations. Their errors do say which value was found. If only one value looks like
//! it, that must be the one.

use docent_describe::json::{Cursor, unescape_lossy};

use super::de::{Found, Problem};
use super::words::beginning;

/// The offset of the only value in the first value of `text` that is what the problem is about. None
/// where there is no such value, or more than one, or where it is that first value.
pub(super) fn trace(text: &str, problem: &Problem) -> Option<usize> {
    let is_wanted = |token: &str| match problem {
        Problem::Type { found, .. } | Problem::Value { found, .. } => is(token, found),
        Problem::UnknownVariant { found, .. } => is_text(token, found),
        _ => false,
    };
    let mut cursor = Cursor::new(text);
    let mut open = 0usize;
    let mut only = None;
    loop {
        let first = cursor.next_item();
        let start = cursor.offset();
        match first {
            b']' | b'}' => {
                cursor.step();
                open = open.checked_sub(1)?;
                if open == 0 {
                    return only.filter(|offset| *offset > 0);
                }
                continue;
            }
            b'[' | b'{' => {
                cursor.step();
                open += 1;
            }
            _ => _ = cursor.value(),
        }
        if open == 0 || first == 0 {
            return None;
        }
        let token = cursor.since(start);
        if first == b'"' && cursor.next_token() == b':' {
            // A name.
            cursor.step();
        } else if is_wanted(token) && only.replace(start).is_some() {
            return None;
        }
    }
}

/// Whether a token is, or begins, what was found.
fn is(token: &str, found: &Found) -> bool {
    match found {
        Found::Here | Found::Other(_) => false,
        Found::Null => token == "null",
        Found::Bool(value) => token == if *value { "true" } else { "false" },
        Found::Unsigned(value) => token.parse() == Ok(*value),
        Found::Signed(value) => token.parse() == Ok(*value),
        Found::Float(value) => token.parse() == Ok(*value),
        Found::Text(text) => is_text(token, text),
        Found::Array => token == "[",
        Found::Object => token == "{",
    }
}

fn is_text(token: &str, text: &str) -> bool {
    token.starts_with('"') && beginning(&unescape_lossy(token)) == text
}
