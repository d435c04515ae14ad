//! The form encoding of queries (`application/x-www-form-urlencoded`), read strictly: malformed
//! text is rejected, not repaired.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use smallvec::SmallVec;

use crate::bind::error::BindError;
use crate::bind::naming::short_name;

/// Names and their values, in order.
type QueryPairs<'q> = SmallVec<[(Cow<'q, str>, Cow<'q, str>); 4]>;

/// Returns the names and values of a query.
pub(super) fn pairs(query: &str) -> Result<QueryPairs<'_>, BindError> {
    let mut pairs = QueryPairs::new();
    let mut rest = query;
    while !rest.is_empty() {
        let (pair, after) = divide(rest, b'&');
        rest = after;
        if pair.is_empty() {
            continue;
        }
        let (name, value) = divide(pair, b'=');
        let name =
            decode(name).map_err(|what| BindError::new(format!("a name in the query {what}")))?;
        let value = decode(value).map_err(|what| {
            BindError::new(format!("the value {what}")).for_parameter(short_name(&name))
        })?;
        pairs.push((name, value));
    }
    Ok(pairs)
}

/// Returns what is before and after the first of these ASCII characters. `split_once` takes several times as long for
/// such short texts.
fn divide(text: &str, separator: u8) -> (&str, &str) {
    match text.bytes().position(|byte| byte == separator) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    }
}

/// Decodes a text, or returns what is wrong with it.
fn decode(encoded: &str) -> Result<Cow<'_, str>, &'static str> {
    if !encoded.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Ok(Cow::Borrowed(encoded));
    }
    if !encoded.split('%').skip(1).all(begins_with_byte) {
        return Err("has a % that is not followed by two hexadecimal digits");
    }
    let spaced = encoded.replace('+', " ");
    match percent_decode_str(&spaced).decode_utf8() {
        Ok(text) => Ok(Cow::Owned(text.into_owned())),
        Err(_) => Err("is not UTF-8"),
    }
}

/// Returns whether the text after a `%` begins with two hexadecimal digits.
fn begins_with_byte(after: &str) -> bool {
    match after.as_bytes().first_chunk::<2>() {
        Some(digits) => digits.iter().all(u8::is_ascii_hexdigit),
        None => false,
    }
}
