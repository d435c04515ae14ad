//! serde's errors, in words for people who know JSON but not Rust.
//!
//! Few callers read them, because the check of a parameter's schema gives a better reason first.

use std::borrow::Cow;

use serde::de::Unexpected;

use crate::brief::{MAX_QUOTED_CHARS, MAX_REASON_BYTES, quote};
use crate::json::{Cursor, shorten, shorten_bytes};

/// Returns the expectation of a type, in JSON's words. It is more precise if the value is of the right kind.
pub(super) fn expectation(expected: &str, is_right_kind: bool) -> Cow<'_, str> {
    let first = expected.split(' ').next().unwrap_or_default();
    let phrase = match (expected, first) {
        ("f32" | "f64", _) if !is_right_kind => "a number",
        ("f64", _) => "a number within ±1.7976931348623157e308",
        ("f32", _) => "a number within ±3.4028235e38",
        ("a boolean", _) => "true or false",
        ("a character", _) => "a string of one character",
        ("a borrowed string" | "variant identifier" | "field identifier" | "path string", _) => {
            "a string"
        }
        ("newtype variant" | "tuple variant" | "struct variant", _) => {
            "an object with this name as its only member"
        }
        ("a map", _) | (_, "struct" | "internally" | "adjacently" | "union") => "an object",
        (_, "unit") => "null",
        ("option", _) => "a value or null",
        ("any value" | "any valid JSON value", _) => "a value",
        ("a sequence" | "an empty array", _) | (_, "tuple") => "an array",
        _ if expected.starts_with("a tuple of ") || expected.starts_with("an array of ") => {
            "an array"
        }
        (_, "enum") => "a string or an object with one member",
        (_, "variant") => "one of the allowed names",
        _ if is_integer(expected) && !is_right_kind => "an integer",
        _ if is_integer(expected) => "an integer within the range of its type",
        _ => return shorten_bytes(expected, MAX_REASON_BYTES),
    };
    phrase.into()
}

/// Returns whether an expectation is the name of an integer type.
fn is_integer(expected: &str) -> bool {
    let width = expected
        .strip_prefix("a nonzero ")
        .unwrap_or(expected)
        .strip_prefix(['i', 'u']);
    width.is_some_and(|width| matches!(width, "8" | "16" | "32" | "64" | "128" | "size"))
}

/// Returns the value that was found, as serde reports it; `None` if the text of the call has more of it.
pub(super) fn found(unexpected: Unexpected<'_>) -> Option<String> {
    Some(match unexpected {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        // `Display` would write up to 300 zeros.
        Unexpected::Float(value) => format!("{value:?}"),
        Unexpected::Char(value) => string(&value.to_string()),
        Unexpected::Str(text) => string(text),
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Seq | Unexpected::TupleVariant => "an array".to_owned(),
        Unexpected::Map | Unexpected::NewtypeVariant | Unexpected::StructVariant => {
            "an object".to_owned()
        }
        Unexpected::Other(text) => shorten_bytes(text, MAX_REASON_BYTES).into_owned(),
        // The rest are not kinds of JSON values.
        _ => return None,
    })
}

/// Returns the value at the beginning of a JSON text in words.
pub(super) fn found_in(text: &str) -> String {
    let mut cursor = Cursor::new(text);
    match cursor.peek() {
        b'[' => "an array".to_owned(),
        b'{' => "an object".to_owned(),
        b'"' => string(&cursor.string().unescape()),
        0 => "something else".to_owned(),
        _ => shorten(cursor.value(), MAX_QUOTED_CHARS).into_owned(),
    }
}

fn string(text: &str) -> String {
    format!("the string {}", quote(text))
}

/// Returns a type's own message. The few messages of serde that name a Rust type are replaced.
pub(super) fn custom(text: &str) -> String {
    if text.starts_with("data did not match any variant of untagged enum ") {
        return "the value matches none of the allowed forms".to_owned();
    }
    if text.starts_with("no variant of enum ") && text.ends_with(" found in flattened data") {
        return "the member that selects the form is missing".to_owned();
    }
    shorten_bytes(text, MAX_REASON_BYTES).into_owned()
}
