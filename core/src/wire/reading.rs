//! Reads a body: one pass over the text, and the order in which protocol versions are detected.

use docent_describe::json::{Scanner, SyntaxError};

use super::members::Members;
use super::message::{Judged, Message};
use super::protocol::Protocols;
use super::{v1_0, v1_1, v2_0};

/// The settings that reading depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) nesting: usize,
    pub(crate) batch: usize,
    pub(crate) protocols: Protocols,
}

/// Reads a whole body.
#[inline]
pub(crate) fn read(text: &str, rules: Rules) -> Result<Message, SyntaxError> {
    let mut scanner = Scanner::new(text, rules.nesting);
    scanner.skip_whitespace();
    let message = if scanner.peek() == Some(b'[') {
        read_batch(text, &mut scanner, rules)?
    } else {
        let mut members = Members::default();
        members.read(text, &mut scanner)?;
        Message::Single(judge(text, &members, rules.protocols))
    };
    scanner.finish()?;
    Ok(message)
}

#[inline(never)]
fn read_batch(text: &str, scanner: &mut Scanner<'_>, rules: Rules) -> Result<Message, SyntaxError> {
    scanner.open()?;
    scanner.skip_whitespace();
    if scanner.peek() == Some(b']') {
        scanner.close();
        return Ok(Message::EmptyBatch);
    }
    let mut entries = Vec::new();
    loop {
        let mut members = Members::default();
        members.read(text, scanner)?;
        // The rest of a batch that is too large is read only to check its grammar.
        if entries.len() <= rules.batch {
            entries.push(judge_in_batch(text, &members));
        }
        scanner.skip_whitespace();
        if scanner.peek() == Some(b']') {
            scanner.close();
            break;
        }
        scanner.expect(b',')?;
    }
    if entries.len() > rules.batch {
        return Ok(Message::BatchTooLarge);
    }
    Ok(Message::Batch(entries))
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
