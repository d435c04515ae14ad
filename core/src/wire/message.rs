//! The contents of a body, independent of the protocol, as positions in its text.
//!
//! Dispatch and the tools of MCP work on these types. They hold no text, so that a body is neither
//! copied nor decoded.

use std::num::NonZeroUsize;
use std::ops::Range;

use docent_describe::json::unescape;

use super::protocol::Protocol;

/// The position of a part of the body.
pub(crate) type TextSpan = Range<usize>;

/// A body, after parsing.
#[derive(Debug)]
pub(crate) enum Message {
    /// One message.
    Single(ClassifiedRequest),
    /// A batch with at least one entry.
    Batch(Vec<ClassifiedRequest>),
}

/// A message or an entry of a batch, after parsing.
#[derive(Debug)]
pub(crate) enum ClassifiedRequest {
    /// A valid request.
    Request(ParsedRequest),
    /// An invalid request.
    Invalid(Invalid),
}

impl ClassifiedRequest {
    /// Returns the `id`, if there is one.
    pub(crate) fn id(&self) -> Option<&TextSpan> {
        match self {
            Self::Request(request) => request.id.as_ref(),
            Self::Invalid(invalid) => invalid.id.as_ref(),
        }
    }
}

/// A valid request, with everything that dispatch needs, independent of the protocol.
#[derive(Debug, Clone)]
pub(crate) struct ParsedRequest {
    pub(crate) protocol: Protocol,
    pub(crate) method: Method,
    /// The parameters, an array or an object, if there are any.
    pub(crate) params: Option<TextSpan>,
    /// The `id` as it is written in the body, if there is one.
    pub(crate) id: Option<TextSpan>,
    /// Set if the request expects no response.
    pub(crate) notification: bool,
    /// The position of the key that makes the call repeatable, if there is one: a valid key, in
    /// quotation marks. A brace precedes it, so the position is never zero.
    pub(crate) key: Option<NonZeroUsize>,
}

/// The error for an invalid request.
#[derive(Debug)]
pub(crate) struct Invalid {
    pub(crate) protocol: Protocol,
    /// The `id`, if one was found.
    pub(crate) id: Option<TextSpan>,
    /// The reason, unless the specification's own message says enough.
    pub(crate) reason: Option<&'static str>,
}

/// The name of the called procedure.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// A name without escapes, at this position, without its quotation marks.
    Plain(TextSpan),
    /// A name that is written with escapes. It is empty, as no procedure's name is, if it has half of
    /// a surrogate pair.
    Escaped(Box<str>),
}

impl Method {
    /// Reads a name that is written with escapes.
    #[cold]
    pub(super) fn escaped(quoted: &str) -> Self {
        Self::Escaped(unescape(quoted).unwrap_or_default().into())
    }

    /// Returns the name.
    #[inline]
    pub(crate) fn name<'a>(&'a self, text: &'a str) -> &'a str {
        match self {
            Self::Plain(span) => &text[span.clone()],
            Self::Escaped(name) => name,
        }
    }
}
