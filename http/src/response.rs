//! A response as the contract sees it.
//!
//! A carrier sends it as it is. It adds only what belongs to the connection, such as the date and
//! the length.

use docent_core::carrier::{Reply, ResponseField};
use http::{HeaderName, StatusCode, header};

use crate::cache::Tag;
use crate::headers::{Headers, Value, is_value};
use crate::pieces::Body;
use crate::status;
use crate::traffic::{Exchange, Room};

/// The media types that a resource takes in POST.
pub(crate) const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

/// The mark of a response that was kept for its key.
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The state of the connection after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionState {
    /// The connection stays open.
    Open,
    /// The connection is closed. The rest of the request's body is not read.
    Close,
    /// The connection is closed after some more of the request's body has been read, so that a client
    /// that is still sending sees the response instead of a broken connection.
    Drain,
}

/// A response, which a carrier writes as it is. Those of the contract have a [`Body`]; a carrier may send others in
/// the same way.
#[derive(Debug)]
pub struct Response<B = Body> {
    /// The status.
    pub status: StatusCode,
    /// The header fields, each once, without those of the connection.
    pub fields: Vec<(HeaderName, Value)>,
    /// The body. It takes room, and its exchange lasts, until it is dropped.
    pub body: B,
    /// The state of the connection after the response.
    pub after: ConnectionState,
    /// True if observers have been told of the response. It then has the ID of its request.
    pub is_told: bool,
}

impl Response {
    /// Creates a response without fields and body, after which the connection stays open.
    pub fn new(status: StatusCode) -> Self {
        Self {
            status,
            // A result has five, and one more if it is compressed.
            fields: Vec::with_capacity(6),
            body: Body::None,
            after: ConnectionState::Open,
            is_told: false,
        }
    }

    /// Creates a JSON response that must not be stored. Observers have been told of it.
    pub(crate) fn of_reply(status: StatusCode, reply: Reply) -> Self {
        let challenge = challenge(&reply);
        let is_replayed = reply.is_replayed();
        let status = reply.rejection().map_or(status, status::of_rejection);
        let mut response = match reply.into_parts() {
            Some(body) => Self::new(status).json(body),
            None => Self::new(StatusCode::NO_CONTENT),
        };
        response.is_told = true;
        if response.status == StatusCode::NO_CONTENT {
            return response;
        }
        if is_replayed {
            response.set(IDEMPOTENT_REPLAYED, "true");
        }
        response.set(header::CACHE_CONTROL, "no-store");
        if let Some(challenge) = challenge {
            response.set(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    /// Creates the response to a GET without a result.
    pub(crate) fn of_get(reply: Reply) -> Self {
        let wait = reply.retry_after();
        let mut response = Self::of_reply(status::of_get(&reply), reply);
        if let Some(wait) = wait {
            response.set(header::RETRY_AFTER, wait.as_secs().to_string());
        }
        response
    }

    /// Creates the response (405) to a method other than GET and HEAD at an address that is only read.
    pub fn read_only() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED).with(header::ALLOW, "GET, HEAD")
    }

    /// Marks the response as one that a single caller reads. The exchange lasts, and the room is
    /// taken, until the caller has read all of it.
    pub(crate) fn for_one(mut self, room: Room, exchange: Exchange) -> Self {
        self.body = self.body.for_one(room, exchange);
        self
    }

    /// Marks the response as shared by all callers, so that its bytes do not count as stored for one of them.
    pub(crate) fn for_all(mut self) -> Self {
        self.body = self.body.for_all();
        self
    }

    /// Adds a field that the response does not have.
    pub fn with(mut self, field: HeaderName, value: impl Into<Value>) -> Self {
        debug_assert!(
            self.fields.iter().all(|(other, _)| *other != field),
            "{field} is set twice"
        );
        self.fields.push((field, value.into()));
        self
    }

    /// Adds `Vary`, unless the response depends on no field.
    pub(crate) fn varying(mut self, vary: Value) -> Self {
        if !vary.is_empty() {
            self.set(header::VARY, vary);
        }
        self
    }

    /// Adds the validator of a representation, and the representation itself unless the caller has it.
    pub(crate) fn unless_known(
        mut self,
        tag: Tag,
        headers: &Headers,
        represent: impl FnOnce(Self) -> Self,
    ) -> Self {
        let is_known = tag.is_known(headers);
        self.set(header::ETAG, tag);
        if is_known {
            self.status = StatusCode::NOT_MODIFIED;
            return self;
        }
        represent(self)
    }

    /// Sets a JSON body. The media type is explicit, so that no browser guesses another.
    pub fn json(self, body: impl Into<Body>) -> Self {
        self.content("application/json", body.into())
            .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
    }

    /// Sets a body of this media type.
    pub fn content(self, media_type: &'static str, body: Body) -> Self {
        let mut response = self.with(header::CONTENT_TYPE, media_type);
        response.body = body;
        response
    }

    /// Adds fields of handlers. One that has a single value is left out if it is there already: the contract's value
    /// counts before that of a handler, and in a batch that of the first call.
    pub(crate) fn add_own(&mut self, fields: Vec<ResponseField>) {
        for field in fields {
            let is_repeatable = field.is_repeatable();
            // The name is valid: that was checked when the handler added the field.
            let Ok(name) = HeaderName::try_from(field.name) else {
                continue;
            };
            if is_repeatable || !self.fields.iter().any(|(other, _)| *other == name) {
                self.fields.push((name, field.value.into()));
            }
        }
    }

    /// Sets a field and replaces its earlier value.
    pub fn set(&mut self, field: HeaderName, value: impl Into<Value>) {
        let value = value.into();
        match self.fields.iter_mut().find(|(other, _)| *other == field) {
            Some((_, old)) => *old = value,
            None => self.fields.push((field, value)),
        }
    }
}

impl<B> Response<B> {
    /// Converts the body.
    pub fn map<T>(self, convert: impl FnOnce(B) -> T) -> Response<T> {
        Response {
            status: self.status,
            fields: self.fields,
            body: convert(self.body),
            after: self.after,
            is_told: self.is_told,
        }
    }
}

/// Returns the challenge that a guard requests. A challenge that is not a valid header field is left
/// out, because the rejection must be sent in any case.
fn challenge(reply: &Reply) -> Option<String> {
    let challenge = reply.rejection()?.challenge()?;
    if !is_value(challenge) {
        tracing::error!(challenge, "a challenge is not a valid header field value");
        return None;
    }
    Some(challenge.to_owned())
}
