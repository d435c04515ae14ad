//! JSON-RPC 2.0: requests (section 4), responses (section 5).

use docent_describe::json::unescape;

use super::key;
use super::members::Members;
use super::message::{Invalid, Judged, Request, Span};
use super::protocol::Protocol;
use crate::fault::Fault;
use crate::json_string;

/// Judges an object that has the member `jsonrpc`.
#[inline]
pub(super) fn judge(text: &str, members: &Members) -> Judged {
    match read_request(text, members) {
        Ok(request) => Judged::Request(request),
        Err(reason) => Judged::Invalid(Invalid {
            protocol: Protocol::V2_0,
            id: detected_id(text, members),
            reason,
        }),
    }
}

/// Judges a message of no protocol version that the service accepts. `of_1_1` is the reason for a
/// call of 1.1.
pub(super) fn judge_stranger(text: &str, members: &Members, of_1_1: &'static str) -> Judged {
    Judged::Invalid(Invalid {
        protocol: Protocol::V2_0,
        id: detected_id(text, members),
        reason: strangeness(text, members, of_1_1),
    })
}

/// Returns the reason why a message without `jsonrpc` is not a valid request. There is no reason in
/// the cases where the examples of the specification (section 7) have none: for a value that is not
/// an object, for an object that is clearly not a request, and for a method that is not a string.
fn strangeness(text: &str, members: &Members, of_1_1: &'static str) -> Option<&'static str> {
    if members.method.is_none() && members.version.is_none() {
        return None;
    }
    if members.repeated.is_some() {
        return Some(ONCE);
    }
    if members.method.is_some() && members.method(text).is_none() {
        return None;
    }
    Some(if members.says_version(text, "1.1") {
        of_1_1
    } else if members.version.is_some() {
        "version must be exactly \"1.1\"; a JSON-RPC 2.0 request has jsonrpc instead"
    } else {
        "jsonrpc is missing: it must be exactly \"2.0\""
    })
}

const ONCE: &str = "jsonrpc, method, params, id and version must not be repeated";

/// Reads a request. An error has no reason if the specification's own examples (section 7) give
/// none.
#[inline]
fn read_request(text: &str, members: &Members) -> Result<Request, Option<&'static str>> {
    if members.repeated.is_some() {
        return Err(Some(ONCE));
    }
    // Bytes are compared, here and for the kinds of values, because slicing a string checks the
    // boundaries of characters.
    let version = members.jsonrpc.clone().map(|span| &text.as_bytes()[span]);
    if version != Some(b"\"2.0\"") && !is_escaped_version(text, members) {
        return Err(Some("jsonrpc must be exactly \"2.0\""));
    }
    if members.method.is_none() {
        return Err(Some("method is missing"));
    }
    let method = members.method(text).ok_or(None)?;
    if members.id.as_ref().is_some_and(|id| !is_id(text, id)) {
        return Err(Some("id must be a string, a number or null"));
    }
    let params = members
        .params(text)
        .ok_or(Some("params must be an array or an object"))?;
    let key = match &members.key {
        None => None,
        Some(_) if members.is_key_repeated => return Err(Some(key::REPEATED)),
        Some(span) => Some(key::place(text, span).ok_or(Some(key::MALFORMED))?),
    };
    Ok(Request {
        protocol: Protocol::V2_0,
        method,
        params,
        id: members.id.clone(),
        notification: members.id.is_none(),
        key,
    })
}

#[cold]
fn is_escaped_version(text: &str, members: &Members) -> bool {
    let quoted = members.jsonrpc.clone().map_or("", |span| &text[span]);
    quoted.starts_with('"') && unescape(quoted).is_ok_and(|version| version == "2.0")
}

/// Returns whether a value may be an `id`: a string, a number or null.
#[inline]
fn is_id(text: &str, value: &Span) -> bool {
    matches!(
        text.as_bytes().get(value.start),
        Some(b'"' | b'-' | b'0'..=b'9' | b'n')
    )
}

/// Returns the `id` that the response to an invalid request repeats.
fn detected_id(text: &str, members: &Members) -> Option<Span> {
    members.only_id().filter(|id| is_id(text, id))
}

/// The text before a result.
pub(crate) const RESULT: &[u8] = b"{\"jsonrpc\":\"2.0\",\"result\":";
/// The text before an error object.
pub(crate) const ERROR: &[u8] = b"{\"jsonrpc\":\"2.0\",\"error\":";

#[inline]
pub(super) fn begin_result(buffer: &mut Vec<u8>) {
    buffer.extend_from_slice(RESULT);
}

#[inline]
pub(super) fn end(buffer: &mut Vec<u8>, id: Option<&str>) {
    buffer.extend_from_slice(b",\"id\":");
    buffer.extend_from_slice(id.unwrap_or("null").as_bytes());
    buffer.push(b'}');
}

#[inline]
pub(super) fn end_length(id: Option<&str>) -> usize {
    ",\"id\":}".len() + id.unwrap_or("null").len()
}

pub(super) fn write_fault(buffer: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
    buffer.extend_from_slice(ERROR);
    write_error_object(buffer, fault);
    end(buffer, id);
}

/// Writes the error object of section 5.1.
pub(crate) fn write_error_object(buffer: &mut Vec<u8>, fault: &Fault) {
    let data = fault.data();
    // Reserving once is cheaper than growing piece by piece.
    buffer.reserve(data.map_or(0, str::len) + fault.message().len() + 64);
    buffer.extend_from_slice(b"{\"code\":");
    // Writing numbers into memory cannot fail.
    let _ = serde_json::to_writer(&mut *buffer, &fault.code());
    buffer.extend_from_slice(b",\"message\":");
    json_string::push_bytes(buffer, fault.message());
    if let Some(data) = data {
        buffer.extend_from_slice(b",\"data\":");
        buffer.extend_from_slice(data.as_bytes());
    }
    buffer.push(b'}');
}
