//! What a body asks for, whatever the protocol: places in the text.

use std::num::NonZeroUsize;
use std::ops::Range;

use docent_describe::json::unescape;

use super::protocol::Protocol;

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

/// A message or an entry of a batch, after parsing.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A valid request.
    Request(Request),
    /// No valid request.
    Invalid(Invalid),
}

impl Judged {
    /// The `id`, where there is one.
    pub(crate) fn id(&self) -> Option<&Span> {
        match self {
            Self::Request(request) => request.id.as_ref(),
            Self::Invalid(invalid) => invalid.id.as_ref(),
        }
    }
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
    /// Where the key begins that makes the call repeatable, if there is one: a valid key, in
    /// quotation marks. It is behind a brace, so this is never zero.
    pub(crate) key: Option<NonZeroUsize>,
}

/// The error for an invalid request.
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
    /// A name that is written with escapes.
    #[cold]
    pub(super) fn escaped(quoted: &str) -> Self {
        match unescape(quoted) {
            Ok(name) => Self::Escaped(name.into()),
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
    #[inline]
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Array(span) | Self::Object(span) => span.len(),
        }
    }

    /// The kind of what is given as parameters; none where it is of no kind that parameters have.
    /// Null counts as absent: no version of the protocol allows it, and clients send it.
    #[inline]
    pub(super) fn read(text: &str, params: Option<Span>) -> Option<Self> {
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
