//! The reason for a failure, in words for people who know JSON but not Rust.

use std::borrow::Cow;
use std::fmt::Write as _;

use docent_describe::json::{Cursor, shorten, shorten_bytes};

use super::de::problem::{Found, Problem};
use crate::brief::{QUOTED, REASON, list, push_quote, quote};

/// The beginning of a text that may be long, cut between characters, and a little longer than what
/// is quoted of it, so that the quotation can show that it was cut.
pub(super) fn beginning(text: &str) -> Cow<'_, str> {
    shorten(text, QUOTED + 1)
}

/// The reason, where the text from the offending value on is `here`.
pub(super) fn reason(problem: &Problem, here: &str) -> String {
    match problem {
        Problem::Names => "the names or the number of parameters are wrong".to_owned(),
        Problem::Checks { .. } => "the value breaks a rule".to_owned(),
        Problem::Type { found, expected } => {
            expected_but_found(&expectation(expected.as_str(), false), found, here)
        }
        Problem::Value { found, expected } => {
            expected_but_found(&expectation(expected.as_str(), true), found, here)
        }
        Problem::Length { found, expected } => match counted(expected.as_str()) {
            Some(wanted) => format!("expected {wanted}, found {}", elements(*found)),
            None => format!("expected a different number of elements, found {found}"),
        },
        Problem::LeftOver { taken } => left_over(here, *taken),
        Problem::UnknownVariant { found, allowed } => {
            ["expected ", &choices(allowed), ", found ", &quote(found)].concat()
        }
        Problem::BareVariant => {
            let object = "an object with this name as its only member";
            expected_but_found(object, &Found::Here, here)
        }
        Problem::NotOneMember => "expected an object with exactly one member".to_owned(),
        Problem::UnknownField { found, allowed } => {
            format!(
                "unknown member {}; expected {}",
                quote(found),
                choices(allowed)
            )
        }
        Problem::MissingField(name) => format!("the member {} is missing", quote(name)),
        Problem::DuplicateField(name) => format!("the member {} is given twice", quote(name)),
        Problem::LoneSurrogate => "the string contains an unpaired surrogate".to_owned(),
        Problem::TooDeep => "nested too deeply".to_owned(),
        Problem::Malformed => "not well-formed JSON".to_owned(),
        Problem::Custom(message) => custom(message),
    }
}

fn expected_but_found(expected: &str, found: &Found, here: &str) -> String {
    // What is found is short, or a quotation with at least as much around it.
    let mut reason = String::with_capacity(expected.len() + QUOTED + 40);
    reason.push_str("expected ");
    reason.push_str(expected);
    reason.push_str(", found ");
    push_found(&mut reason, found, here);
    reason
}

/// What a type calls its expectation, in JSON's words. `precisely` where the kind of value is right
/// already.
fn expectation(expected: &str, precisely: bool) -> Cow<'_, str> {
    if let Some(integer) = integer(expected, precisely) {
        return integer;
    }
    let first = match expected.split_once(' ') {
        None => expected,
        // Every count of elements is words, and most names of types are one.
        Some((first, _)) => match counted(expected) {
            Some(array) => return array.into(),
            None => first,
        },
    };
    let words = match (expected, first) {
        ("f64", _) if precisely => "a number within ±1.7976931348623157e308",
        ("f32", _) if precisely => "a number within ±3.4028235e38",
        ("f32" | "f64", _) => "a number",
        ("a boolean", _) => "true or false",
        ("a character", _) => "a string of one character",
        ("a borrowed string" | "variant identifier" | "field identifier" | "path string", _) => {
            "a string"
        }
        ("a map", _) | (_, "struct" | "internally" | "adjacently" | "union") => "an object",
        (_, "unit") => "null",
        ("byte array" | "a byte array" | "a borrowed byte array" | "bytes", _) => {
            "a string or an array of integers from 0 to 255"
        }
        ("option", _) => "a value or null",
        ("any value" | "any valid JSON value", _) => "a value",
        ("a sequence" | "an empty array", _) | (_, "tuple") => "an array",
        (_, "enum") => "a string or an object with one member",
        (_, "variant") => "one of the allowed names",
        _ => return shorten_bytes(expected, REASON),
    };
    words.into()
}

/// An array of so many elements, where that is what a type expects: `a tuple of size 2`, `tuple
/// struct Size with 2 elements`.
fn counted(expected: &str) -> Option<String> {
    let count = ["a tuple of size ", "an array of length "]
        .iter()
        .find_map(|prefix| expected.strip_prefix(prefix))
        .or_else(|| {
            let counted = expected.trim_end_matches(" in sequence");
            let (before, _) = counted.trim_end_matches('s').rsplit_once(" element")?;
            before.rsplit(' ').next()
        })?;
    Some(format!("an array of {}", elements(count.parse().ok()?)))
}

/// The range of a type of integers, by its name.
fn integer(expected: &str, precisely: bool) -> Option<Cow<'static, str>> {
    let name = expected.strip_prefix("a nonzero ").unwrap_or(expected);
    let range = range(name)?;
    if !precisely {
        return Some("an integer".into());
    }
    let nonzero = name != expected;
    Some(match range() {
        (least, most) if nonzero && least == "0" => format!("an integer from 1 to {most}").into(),
        (least, most) if nonzero => {
            format!("an integer from {least} to {most}, other than 0").into()
        }
        (least, most) => format!("an integer from {least} to {most}").into(),
    })
}

fn range(name: &str) -> Option<fn() -> (String, String)> {
    macro_rules! ranges {
        ($($type:ident)*) => {
            match name {
                $(stringify!($type) => {
                    Some(|| ($type::MIN.to_string(), $type::MAX.to_string()))
                })*
                _ => None,
            }
        };
    }
    ranges!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize)
}

fn elements(count: usize) -> String {
    match count {
        1 => "1 element".to_owned(),
        _ => format!("{count} elements"),
    }
}

/// Appends what stands where something else was expected.
fn push_found(out: &mut String, found: &Found, here: &str) {
    // Writing to a `String` cannot fail.
    let _ = match found {
        Found::Here => return push_literal(out, here),
        Found::Null => out.write_str("null"),
        Found::Bool(value) => write!(out, "{value}"),
        Found::Unsigned(value) => write!(out, "{value}"),
        Found::Signed(value) => write!(out, "{value}"),
        // Not by `Display`, which writes 300 zeros where it has to.
        Found::Float(value) => write!(out, "{value:?}"),
        Found::Text(text) => return push_string(out, text),
        Found::Array => out.write_str("an array"),
        Found::Object => out.write_str("an object"),
        Found::Other(text) => out.write_str(&shorten_bytes(text, REASON)),
    };
}

/// Appends the value at the beginning of a JSON text.
fn push_literal(out: &mut String, here: &str) {
    let mut cursor = Cursor::new(here);
    match cursor.peek() {
        b'[' => out.push_str("an array"),
        b'{' => out.push_str("an object"),
        b'"' => push_string(out, &cursor.string().unescape()),
        0 => out.push_str("something else"),
        _ => out.push_str(&shorten(cursor.value(), QUOTED)),
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push_str("the string ");
    push_quote(out, text);
}

fn left_over(here: &str, taken: usize) -> String {
    let mut cursor = Cursor::new(here);
    if cursor.peek() == b'{' {
        return "the object has more members than expected".to_owned();
    }
    cursor.step();
    let (mut wanted, mut found) = (0, 0usize);
    while cursor.next_element() {
        wanted += usize::from(cursor.offset() < taken);
        found += 1;
        cursor.value();
    }
    format!("expected an array of {}, found {found}", elements(wanted))
}

/// A type's own message. serde's few that name a Rust type say something else here.
fn custom(text: &str) -> String {
    if text.starts_with("data did not match any variant of untagged enum ") {
        return "the value matches none of the allowed forms".to_owned();
    }
    if text.starts_with("no variant of enum ") && text.ends_with(" found in flattened data") {
        return "the member that selects the form is missing".to_owned();
    }
    message(text)
}

fn message(text: &str) -> String {
    shorten_bytes(text, REASON).into_owned()
}

/// A list of names for a sentence: `"a", "b" or "c"`.
pub(super) fn choices<S: AsRef<str>>(choices: &[S]) -> String {
    if choices.is_empty() {
        return "nothing".to_owned();
    }
    let choices = choices.iter().map(|choice| quote(choice.as_ref()));
    list(choices, usize::MAX, " or ", " or ")
}

/// A caller's name for a parameter that there is not, and not more of it than is good to read.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    shorten(name, QUOTED)
}
