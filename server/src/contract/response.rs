//! A response, as the contract has it.

use std::borrow::Cow;

use bytes::Bytes;
use docent_core::Reply;

use super::pieces::Body;
use super::traffic::{Ticket, Traffic};

/// A status (RFC 9110, section 15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status(u16);

impl Status {
    pub(crate) const OK: Self = Self(200);
    pub(crate) const NO_CONTENT: Self = Self(204);
    pub(crate) const SEE_OTHER: Self = Self(303);
    pub(crate) const NOT_MODIFIED: Self = Self(304);
    #[cfg(feature = "docs")]
    pub(crate) const PERMANENT_REDIRECT: Self = Self(308);
    pub(crate) const BAD_REQUEST: Self = Self(400);
    pub(crate) const UNAUTHORIZED: Self = Self(401);
    pub(crate) const FORBIDDEN: Self = Self(403);
    pub(crate) const NOT_FOUND: Self = Self(404);
    pub(crate) const METHOD_NOT_ALLOWED: Self = Self(405);
    pub(crate) const REQUEST_TIMEOUT: Self = Self(408);
    pub(crate) const PAYLOAD_TOO_LARGE: Self = Self(413);
    pub(crate) const URI_TOO_LONG: Self = Self(414);
    pub(crate) const UNSUPPORTED_MEDIA_TYPE: Self = Self(415);
    pub(crate) const MISDIRECTED_REQUEST: Self = Self(421);
    pub(crate) const TOO_MANY_REQUESTS: Self = Self(429);
    pub(crate) const REQUEST_HEADER_FIELDS_TOO_LARGE: Self = Self(431);
    pub(crate) const INTERNAL_SERVER_ERROR: Self = Self(500);
    pub(crate) const SERVICE_UNAVAILABLE: Self = Self(503);
    pub(crate) const GATEWAY_TIMEOUT: Self = Self(504);

    /// The status with this number, if there can be one.
    pub(crate) fn new(code: u16) -> Option<Self> {
        (100..1_000).contains(&code).then_some(Self(code))
    }

    pub(crate) fn code(self) -> u16 {
        self.0
    }
}

/// The header fields that a response may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    AcceptEncoding,
    AcceptPost,
    Allow,
    CacheControl,
    ContentEncoding,
    #[cfg(feature = "docs")]
    ContentSecurityPolicy,
    ContentType,
    ETag,
    Link,
    Location,
    #[cfg(feature = "docs")]
    ReferrerPolicy,
    RetryAfter,
    Vary,
    WwwAuthenticate,
    XContentTypeOptions,
}

/// What a header field says.
pub(crate) type Value = Cow<'static, str>;

/// Whether a text can be what a header field says (RFC 9110, section 5.5, without what is obsolete).
pub(crate) fn is_value(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// What to do with the connection after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It goes on.
    Open,
    /// It closes. What is left of the request's body is not read.
    Close,
    /// It closes when some more of the request's body has been read: a client that is still sending
    /// sees the response then, rather than a connection that breaks.
    Drain,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: Status,
    pub(crate) fields: Vec<(Field, Value)>,
    pub(crate) body: Body,
    pub(crate) after: After,
}

impl Response {
    pub(crate) fn new(status: Status) -> Self {
        Self {
            status,
            fields: Vec::with_capacity(4),
            body: Body::None,
            after: After::Open,
        }
    }

    /// A response in JSON that no cache keeps.
    pub(crate) fn of_reply(status: Status, reply: Reply) -> Self {
        let challenge = challenge(&reply);
        let Some(body) = reply.into_body() else {
            return Self::new(Status::NO_CONTENT);
        };
        let mut response = Self::new(status).json(Bytes::from(body));
        response.set(Field::CacheControl, "no-store");
        if let Some(challenge) = challenge {
            response.set(Field::WwwAuthenticate, challenge);
        }
        response
    }

    /// The response to a method that asks for a change where there is nothing to change.
    pub(crate) fn read_only() -> Self {
        Self::new(Status::METHOD_NOT_ALLOWED).with(Field::Allow, "GET, HEAD")
    }

    /// The same response, made for one caller: it is counted as waiting, and the exchange lasts until
    /// all of it has been taken.
    pub(super) fn for_one(mut self, traffic: &Traffic, ticket: Ticket) -> Self {
        self.body = self.body.for_one(traffic.waiting(), ticket);
        self
    }

    /// The same response, which is one for all callers and takes no memory of its own.
    pub(crate) fn for_all(mut self) -> Self {
        self.body = self.body.for_all();
        self
    }

    /// The same response with a field.
    pub(crate) fn with(mut self, field: Field, value: impl Into<Value>) -> Self {
        self.set(field, value);
        self
    }

    /// The same response with a body of JSON. It says what it is, so that no browser takes it for
    /// something else.
    pub(crate) fn json(self, body: impl Into<Body>) -> Self {
        self.content("application/json", body.into())
            .with(Field::XContentTypeOptions, "nosniff")
    }

    /// The same response with a body of this media type.
    pub(crate) fn content(mut self, media_type: &'static str, body: Body) -> Self {
        self.set(Field::ContentType, media_type);
        self.body = body;
        self
    }

    /// Sets a field, and replaces its earlier value.
    pub(crate) fn set(&mut self, field: Field, value: impl Into<Value>) {
        let value = value.into();
        match self.fields.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.fields.push((field, value)),
        }
    }
}

/// What a guard wants the caller to be challenged with. Words that cannot stand in a header field are
/// left out: the refusal has to be sent whatever they are.
fn challenge(reply: &Reply) -> Option<String> {
    let challenge = reply.denial()?.challenge.as_deref()?;
    if is_value(challenge) {
        Some(challenge.to_owned())
    } else {
        tracing::error!(challenge, "a challenge is no header field's value");
        None
    }
}
