//! Messages: which protocol a body speaks, what it asks for, and how an answer is written.
//!
//! Reading is one pass over the text by [`Scanner`], which checks the grammar of the whole body and
//! remembers where the members of each request stand. Nothing is copied: everything after this
//! module works on spans of the body.
//!
//! What differs between versions of the protocol stands in one module a version ([`v2_0`], [`v1_1`], [`v1_0`]); the
//! order in which they are told apart stands in [`judge`]. Dispatch knows none of it: it sees a
//! [`Request`] and asks its [`Protocol`] to write the answer.

mod members;
mod protocol;
mod v1_0;
mod v1_1;
mod v2_0;

use std::ops::Range;

use docent_describe::json::{Scanner, SyntaxError, unescape};

use members::Members;
pub use protocol::{Protocol, Protocols};

/// Where something stands in the body.
pub(crate) type Span = Range<usize>;

/// What a body turned out to be.
#[derive(Debug)]
pub(crate) enum Message {
    /// One message.
    Single(Judged),
    /// A batch with at least one entry.
    Batch(Vec<Judged>),
    /// An array without entries.
    EmptyBatch,
    /// A batch with more entries than allowed.
    BatchTooLarge,
}

/// A message or an entry of a batch, after it was looked at as a whole.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A valid request.
    Request(Request),
    /// No valid request.
    Invalid(Invalid),
}

/// A valid request: what dispatch needs to know, whatever the protocol.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) protocol: Protocol,
    pub(crate) method: Method,
    pub(crate) params: ParamsSpan,
    /// The `id` as it stands in the body, where there is one.
    pub(crate) id: Option<Span>,
    /// Whether it wants no answer.
    pub(crate) notification: bool,
}

/// What is answered to something that is no valid request.
#[derive(Debug)]
pub(crate) struct Invalid {
    pub(crate) protocol: Protocol,
    /// The `id`, where one was detected.
    pub(crate) id: Option<Span>,
    /// What is wrong, where the specification's own words do not say it.
    pub(crate) reason: Option<&'static str>,
}

/// The name of the procedure that is called.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// Written without escapes, at this place, quotation marks excluded.
    Plain(Span),
    /// Written with escapes.
    Escaped(Box<str>),
    /// Written with half of a surrogate pair: no procedure has such a name.
    Impossible,
}

impl Method {
    fn new(text: &str, quoted: Span) -> Self {
        match unescape(&text[quoted.clone()]) {
            Ok(std::borrow::Cow::Borrowed(_)) => Self::Plain(quoted.start + 1..quoted.end - 1),
            Ok(std::borrow::Cow::Owned(name)) => Self::Escaped(name.into()),
            Err(_) => Self::Impossible,
        }
    }

    /// The name, if it is one.
    #[inline]
    pub(crate) fn name<'a>(&'a self, text: &'a str) -> Option<&'a str> {
        match self {
            Self::Plain(span) => Some(&text[span.clone()]),
            Self::Escaped(name) => Some(name),
            Self::Impossible => None,
        }
    }
}

/// The parameters, by kind and place.
#[derive(Debug, Clone)]
pub(crate) enum ParamsSpan {
    Absent,
    Array(Span),
    Object(Span),
}

impl ParamsSpan {
    /// The number of bytes that the parameters take in the body.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Array(span) | Self::Object(span) => span.len(),
        }
    }

    /// The kind of what is given as parameters; none where it is of no kind that parameters have.
    /// Null counts as absent: no version of the protocol allows it, and clients send it.
    fn read(text: &str, params: Option<Span>) -> Option<Self> {
        let Some(span) = params else {
            return Some(Self::Absent);
        };
        match text.as_bytes().get(span.start) {
            Some(b'[') => Some(Self::Array(span)),
            Some(b'{') => Some(Self::Object(span)),
            Some(b'n') => Some(Self::Absent),
            _ => None,
        }
    }
}

/// What reading depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) nesting: usize,
    pub(crate) batch: usize,
    pub(crate) protocols: Protocols,
}

/// Reads a whole body.
pub(crate) fn read(text: &str, rules: Rules) -> Result<Message, SyntaxError> {
    let mut scanner = Scanner::new(text, rules.nesting);
    scanner.skip_whitespace();
    let message = if scanner.peek() == Some(b'[') {
        read_batch(text, &mut scanner, rules)?
    } else {
        Message::Single(judge(
            text,
            &Members::read(text, &mut scanner)?,
            rules.protocols,
        ))
    };
    scanner.finish()?;
    Ok(message)
}

fn read_batch(text: &str, scanner: &mut Scanner<'_>, rules: Rules) -> Result<Message, SyntaxError> {
    scanner.open()?;
    scanner.skip_whitespace();
    if scanner.peek() == Some(b']') {
        scanner.close();
        return Ok(Message::EmptyBatch);
    }
    let mut entries = Vec::new();
    loop {
        let members = Members::read(text, scanner)?;
        // The rest of a batch that is too large is read for its grammar alone.
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

/// Decides which protocol a message speaks (the first match counts) and hands it to that protocol.
fn judge(text: &str, members: &Members, protocols: Protocols) -> Judged {
    if members.jsonrpc.is_some() {
        return v2_0::judge(text, members);
    }
    if protocols.v1_1 && members.says_version(text, "1.1") {
        return v1_1::judge(text, members);
    }
    if protocols.v1_0 && members.method.is_some() {
        return v1_0::judge(text, members);
    }
    v2_0::judge_stranger(
        text,
        members,
        "JSON-RPC 1.1 is not spoken here: jsonrpc must be exactly \"2.0\"",
    )
}

/// Batches are 2.0's alone.
fn judge_in_batch(text: &str, members: &Members) -> Judged {
    if members.jsonrpc.is_some() {
        v2_0::judge(text, members)
    } else {
        v2_0::judge_stranger(
            text,
            members,
            "a batch is JSON-RPC 2.0's: a call of JSON-RPC 1.1 stands alone",
        )
    }
}
