//! Reads a body: one pass over the text, and the order in which protocol versions are detected.
//!
//! A request may look like several versions, so the order matters and is the same for every body.
//! Values are not decoded: all that leaves this file are positions in the text.

use docent_describe::json::{Scanner, SyntaxError, SyntaxErrorKind};

use super::key;
use super::members::{MessageMembers, says};
use super::message::{ClassifiedRequest, Invalid, Message, ParsedRequest, TextSpan};
use super::protocol::{Protocol, Protocols};
use crate::code;
use crate::fault::Fault;

/// The settings that reading depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WireRules {
    pub(crate) nesting: usize,
    pub(crate) batch: usize,
    pub(crate) protocols: Protocols,
}

/// Reads a whole body. Fails if nothing in it can be called.
#[inline]
pub(crate) fn read(text: &str, rules: WireRules) -> Result<Message, Fault> {
    let mut scanner = Scanner::new(text, rules.nesting);
    scanner.skip_whitespace();
    if scanner.peek() == Some(b'[') {
        let entries = read_batch(text, &mut scanner, rules)
            .map_err(|error| unreadable(error, rules.nesting))?;
        return match entries.len() {
            0 => Err(Fault::protocol(code::INVALID_REQUEST)),
            length if length > rules.batch => {
                let limit = rules.batch;
                let reason =
                    format_args!("a batch may have at most {limit} entries; none of them ran");
                Err(Fault::explained(code::BATCH_TOO_LARGE, reason))
            }
            _ => Ok(Message::Batch(entries)),
        };
    }
    let mut members = MessageMembers::default();
    members
        .read(text, &mut scanner)
        .and_then(|()| scanner.finish())
        .map_err(|error| unreadable(error, rules.nesting))?;
    Ok(Message::Single(classify(
        text,
        &members,
        Some(rules.protocols),
    )))
}

/// Reads the entries of a batch. The rest of a batch that is too large is read only to check its
/// grammar.
#[inline(never)]
fn read_batch(
    text: &str,
    scanner: &mut Scanner<'_>,
    rules: WireRules,
) -> Result<Vec<ClassifiedRequest>, SyntaxError> {
    let mut entries = Vec::new();
    scanner.open()?;
    scanner.skip_whitespace();
    while scanner.peek() != Some(b']') {
        if !entries.is_empty() {
            scanner.expect(b',')?;
        }
        let mut members = MessageMembers::default();
        members.read(text, scanner)?;
        if entries.len() <= rules.batch {
            entries.push(classify(text, &members, None));
        }
        scanner.skip_whitespace();
    }
    scanner.close();
    scanner.finish()?;
    Ok(entries)
}

/// Returns the error for a body that cannot be read. It has a reason only for deep nesting: the
/// examples of the specification (section 7) show invalid JSON without a reason, and none shows
/// deep nesting.
#[cold]
fn unreadable(error: SyntaxError, nesting: usize) -> Fault {
    match error.kind {
        SyntaxErrorKind::TooDeep => Fault::explained(
            code::PARSE_ERROR,
            format_args!("nested too deeply: at most {nesting} levels of brackets are allowed"),
        ),
        _ => Fault::protocol(code::PARSE_ERROR),
    }
}

/// The reason why a request is invalid. There is none where the specification's own examples (2.0,
/// section 7) give none.
type Reason = Option<&'static str>;

/// Detects the protocol of a message (the first match counts) and reads it by that protocol.
/// `protocols` is `None` in a batch, because only 2.0 has batches.
#[inline]
fn classify(
    text: &str,
    members: &MessageMembers,
    protocols: Option<Protocols>,
) -> ClassifiedRequest {
    let (protocol, request) = if members.jsonrpc.is_some() {
        (Protocol::V2_0, read_2_0(text, members))
    } else {
        read_older(text, members, protocols)
    };
    match request {
        Ok(request) => ClassifiedRequest::Request(request),
        Err(reason) => {
            // In 1.1, an `id` may be any value.
            let id = members
                .only_id()
                .filter(|id| protocol != Protocol::V2_0 || is_id(text, id));
            ClassifiedRequest::Invalid(Invalid {
                protocol,
                id,
                reason,
            })
        }
    }
}

#[cold]
fn read_older(
    text: &str,
    members: &MessageMembers,
    protocols: Option<Protocols>,
) -> (Protocol, Result<ParsedRequest, Reason>) {
    match protocols {
        Some(protocols) if protocols.v1_1 && says(text, members.version.as_ref(), "1.1") => {
            (Protocol::V1_1, read_1_1(text, members))
        }
        Some(protocols) if protocols.v1_0 && members.method.is_some() => {
            (Protocol::V1_0, read_1_0(text, members))
        }
        _ => {
            let of_1_1 = match protocols {
                Some(_) => {
                    "this service does not support JSON-RPC 1.1: jsonrpc must be exactly \"2.0\""
                }
                None => "JSON-RPC 1.1 has no batches: send this call on its own",
            };
            (Protocol::V2_0, Err(strangeness(text, members, of_1_1)))
        }
    }
}

/// Returns the reason why a message without `jsonrpc` is not a valid request. There is no reason in
/// the cases where the examples of the specification (section 7) have none: for a value that is not
/// an object, for an object that is clearly not a request, and for a method that is not a string.
fn strangeness(text: &str, members: &MessageMembers, of_1_1: &'static str) -> Reason {
    if members.method.is_none() && members.version.is_none() {
        return None;
    }
    if members.repeated.is_some() {
        return Some(REPEATED_MEMBER);
    }
    if members.method.is_some() && members.method(text).is_none() {
        return None;
    }
    Some(if says(text, members.version.as_ref(), "1.1") {
        of_1_1
    } else if members.version.is_some() {
        "version must be exactly \"1.1\"; a JSON-RPC 2.0 request has jsonrpc instead"
    } else {
        "jsonrpc is missing: it must be exactly \"2.0\""
    })
}

/// The reason why the method of an older request cannot be read.
const NO_STRING: Reason = Some("method must be a string");

const REPEATED_MEMBER: &str = "jsonrpc, method, params, id and version must not be repeated";

/// Reads a request of JSON-RPC 2.0 (section 4).
#[inline]
fn read_2_0(text: &str, members: &MessageMembers) -> Result<ParsedRequest, Reason> {
    if members.repeated.is_some() {
        return Err(Some(REPEATED_MEMBER));
    }
    // Bytes are compared, here and for the kinds of values, because slicing a string checks the
    // boundaries of characters.
    let version = members.jsonrpc.clone().map(|span| &text.as_bytes()[span]);
    if version != Some(b"\"2.0\"") && !says(text, members.jsonrpc.as_ref(), "2.0") {
        return Err(Some("jsonrpc must be exactly \"2.0\""));
    }
    if members.method.is_none() {
        return Err(Some("method is missing"));
    }
    let method = members.method(text).ok_or(None)?;
    if members.id.as_ref().is_some_and(|id| !is_id(text, id)) {
        return Err(Some("id must be a string, a number or null"));
    }
    let params = members.params(text)?;
    let key = match &members.key {
        None => None,
        Some(_) if members.is_key_repeated => return Err(Some(key::REPEATED_REASON)),
        Some(span) => Some(key::find_start(text, span).ok_or(Some(key::MALFORMED_REASON))?),
    };
    Ok(ParsedRequest {
        protocol: Protocol::V2_0,
        method,
        params,
        id: members.id.clone(),
        notification: members.id.is_none(),
        key,
    })
}

/// Returns whether a value may be an `id` of 2.0: a string, a number or null.
#[inline]
fn is_id(text: &str, value: &TextSpan) -> bool {
    matches!(
        text.as_bytes().get(value.start),
        Some(b'"' | b'-' | b'0'..=b'9' | b'n')
    )
}

/// Reads a call of JSON-RPC 1.1 (section 6.2). Its `id` may be any value. Section 2 removes
/// notifications.
fn read_1_1(text: &str, members: &MessageMembers) -> Result<ParsedRequest, Reason> {
    if members.repeated.is_some() {
        return Err(Some(REPEATED_MEMBER));
    }
    Ok(ParsedRequest {
        protocol: Protocol::V1_1,
        method: members.method(text).ok_or(NO_STRING)?,
        params: members.params(text)?,
        id: members.id.clone(),
        notification: false,
        key: None,
    })
}

/// Reads a request of JSON-RPC 1.0.
fn read_1_0(text: &str, members: &MessageMembers) -> Result<ParsedRequest, Reason> {
    if members.repeated.is_some() {
        return Err(Some(REPEATED_MEMBER));
    }
    let method = members.method(text).ok_or(NO_STRING)?;
    let params = members.params(text)?;
    match &params {
        Some(span) if text[span.start..].starts_with('[') => {}
        _ => return Err(Some("params must be an array")),
    }
    let Some(id) = members.id.clone() else {
        return Err(Some("id is missing; for a notification, send null"));
    };
    Ok(ParsedRequest {
        protocol: Protocol::V1_0,
        method,
        params,
        notification: &text[id.clone()] == "null",
        key: None,
        id: Some(id),
    })
}
