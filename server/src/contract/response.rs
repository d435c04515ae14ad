//! A response as the contract sees it.

use std::borrow::Cow;

use docent_core::Reply;

use super::pieces::Body;
use super::traffic::Ticket;
use super::waiting::Room;

/// A status (RFC 9110, section 15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status(u16);

impl Status {
    pub(crate) const OK: Self = Self(200);
    #[cfg(feature = "mcp")]
    pub(crate) const ACCEPTED: Self = Self(202);
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

    /// Returns the status with this number, if it is a valid status.
    pub(crate) fn new(code: u16) -> Option<Self> {
        (100..1_000).contains(&code).then_some(Self(code))
    }

    pub(crate) fn code(self) -> u16 {
        self.0
    }
}

/// The header fields of responses.
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
    IdempotentReplayed,
    Link,
    Location,
    #[cfg(feature = "docs")]
    ReferrerPolicy,
    RetryAfter,
    Vary,
    WwwAuthenticate,
    XContentTypeOptions,
}

/// The value of a header field.
pub(crate) type Value = Cow<'static, str>;

/// Returns whether a text can be a header field's value (RFC 9110, section 5.5, without obsolete
/// forms).
pub(crate) fn is_value(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// The state of the connection after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// The connection stays open.
    Open,
    /// The connection is closed. The rest of the request's body is not read.
    Close,
    /// The connection is closed after some more of the request's body has been read, so that a client
    /// that is still sending sees the response instead of a broken connection.
    Drain,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: Status,
    pub(crate) fields: Vec<(Field, Value)>,
    pub(crate) body: Body,
    pub(crate) after: After,
    /// True if observers know of the response. It then has the ID of its request.
    pub(crate) is_told: bool,
}

impl Response {
    pub(crate) fn new(status: Status) -> Self {
        Self {
            status,
            // A result has five, and one more if it is compressed.
            fields: Vec::with_capacity(6),
            body: Body::None,
            after: After::Open,
            is_told: false,
        }
    }

    /// Creates a JSON response that must not be stored, and of which observers know.
    pub(crate) fn of_reply(status: Status, reply: Reply) -> Self {
        let challenge = challenge(&reply);
        let is_replayed = reply.is_replayed();
        let mut response = match reply.into_parts() {
            Some(body) => Self::new(status).json(body),
            None => Self::new(Status::NO_CONTENT),
        };
        response.is_told = true;
        if response.status == Status::NO_CONTENT {
            return response;
        }
        if is_replayed {
            response.set(Field::IdempotentReplayed, "true");
        }
        response.set(Field::CacheControl, "no-store");
        if let Some(challenge) = challenge {
            response.set(Field::WwwAuthenticate, challenge);
        }
        response
    }

    /// Creates the response to a write method where only reads are allowed.
    pub(crate) fn read_only() -> Self {
        Self::new(Status::METHOD_NOT_ALLOWED).with(Field::Allow, "GET, HEAD")
    }

    /// Marks the response as one that a single caller reads. The exchange lasts, and the room is
    /// taken, until the caller has read all of it.
    pub(super) fn for_one(mut self, room: Room, ticket: Ticket) -> Self {
        self.body = self.body.for_one(room, ticket);
        self
    }

    /// Marks the response as shared by all callers, so that it counts as no memory of its own.
    pub(crate) fn for_all(mut self) -> Self {
        self.body = self.body.for_all();
        self
    }

    /// Adds a field.
    pub(crate) fn with(mut self, field: Field, value: impl Into<Value>) -> Self {
        self.set(field, value);
        self
    }

    /// Sets a JSON body. The media type is explicit, so that no browser guesses another.
    pub(crate) fn json(self, body: impl Into<Body>) -> Self {
        self.content("application/json", body.into())
            .with(Field::XContentTypeOptions, "nosniff")
    }

    /// Sets a body of this media type.
    pub(crate) fn content(mut self, media_type: &'static str, body: Body) -> Self {
        self.set(Field::ContentType, media_type);
        self.body = body;
        self
    }

    /// Sets a field and replaces its earlier value.
    pub(crate) fn set(&mut self, field: Field, value: impl Into<Value>) {
        let value = value.into();
        match self.fields.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.fields.push((field, value)),
        }
    }
}

/// Returns the challenge that a guard requests. A challenge that is not a valid header field is left
/// out, because the rejection must be sent in any case.
fn challenge(reply: &Reply) -> Option<String> {
    let challenge = reply.denial()?.challenge.as_deref()?;
    if is_value(challenge) {
        Some(challenge.to_owned())
    } else {
        tracing::error!(challenge, "a challenge is not a valid header field value");
        None
    }
}
