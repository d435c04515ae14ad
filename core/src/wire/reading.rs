//! Reads a body: one pass over the text, and the order in which protocol versions are detected.

use docent_describe::json::{Scanner, SyntaxError, SyntaxErrorKind};

use super::members::Members;
use super::message::{Judged, Message};
use super::protocol::Protocols;
use super::{v1_0, v1_1, v2_0};
use crate::code;
use crate::fault::Fault;

/// The settings that reading depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) nesting: usize,
    pub(crate) batch: usize,
    pub(crate) protocols: Protocols,
}

/// Reads a whole body. Fails if nothing in it can be called.
#[inline]
pub(crate) fn read(text: &str, rules: Rules) -> Result<Message, Fault> {
    let mut scanner = Scanner::new(text, rules.nesting);
    scanner.skip_whitespace();
    let unreadable = |error| unreadable(error, rules.nesting);
    if scanner.peek() == Some(b'[') {
        let entries = read_batch(text, &mut scanner, rules).map_err(unreadable)?;
        return match entries.len() {
            0 => Err(Fault::protocol(code::INVALID_REQUEST)),
            length if length > rules.batch => {
                let most = rules.batch;
                let reason =
                    format_args!("a batch may have at most {most} entries; none of them ran");
                Err(Fault::explained(code::BATCH_TOO_LARGE, reason))
            }
            _ => Ok(Message::Batch(entries)),
        };
    }
    let mut members = Members::default();
    let read = members.read(text, &mut scanner);
    read.and_then(|()| scanner.finish()).map_err(unreadable)?;
    Ok(Message::Single(judge(text, &members, rules.protocols)))
}

/// Reads the entries of a batch. The rest of a batch that is too large is read only to check its
/// grammar.
#[inline(never)]
fn read_batch(
    text: &str,
    scanner: &mut Scanner<'_>,
    rules: Rules,
) -> Result<Vec<Judged>, SyntaxError> {
    let mut entries = Vec::new();
    scanner.open()?;
    scanner.skip_whitespace();
    while scanner.peek() != Some(b']') {
        if !entries.is_empty() {
            scanner.expect(b',')?;
        }
        let mut members = Members::default();
        members.read(text, scanner)?;
        if entries.len() <= rules.batch {
            entries.push(judge_in_batch(text, &members));
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

/// Detects the protocol of a message (the first match counts) and lets that protocol judge it.
#[inline]
fn judge(text: &str, members: &Members, protocols: Protocols) -> Judged {
    if members.jsonrpc.is_some() {
        return v2_0::judge(text, members);
    }
    judge_older(text, members, protocols)
}

#[cold]
fn judge_older(text: &str, members: &Members, protocols: Protocols) -> Judged {
    if protocols.v1_1 && members.says_version(text, "1.1") {
        return v1_1::judge(text, members);
    }
    if protocols.v1_0 && members.method.is_some() {
        return v1_0::judge(text, members);
    }
    v2_0::judge_stranger(
        text,
        members,
        "this service does not support JSON-RPC 1.1: jsonrpc must be exactly \"2.0\"",
    )
}

/// Judges an entry of a batch. Only 2.0 has batches.
fn judge_in_batch(text: &str, members: &Members) -> Judged {
    if members.jsonrpc.is_some() {
        v2_0::judge(text, members)
    } else {
        v2_0::judge_stranger(
            text,
            members,
            "JSON-RPC 1.1 has no batches: send this call on its own",
        )
    }
}
