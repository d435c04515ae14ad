//! The response to a call or to a whole body, with the properties that transports and observers
//! need.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use docent_describe::ProcedureDescription;
use docent_describe::json::Cursor;

use crate::call::{Callee, Meta};
use crate::code;
use crate::fault::Fault;
use crate::output::{Output, SharedPart};
use crate::rejection_kind::RejectionKind;
use crate::response_field::ResponseField;
use crate::subscription::{NewSubscription, streams_reason};
use crate::wire::Protocol;

/// A response: the bytes to send, if any, and their meaning.
pub struct Reply {
    pub(super) meta: Meta,
    body: Option<Vec<u8>>,
    /// The part of the body that other responses share.
    shared: Option<Box<SharedPart>>,
    /// The subscription that the call has opened.
    subscription: Option<Box<NewSubscription>>,
    code: Option<i64>,
    /// The called procedure, if there was exactly one.
    callee: Option<Arc<Callee>>,
    /// Set if a guard rejected the call.
    rejection: Option<Box<RejectionKind>>,
    /// The number of seconds to wait before repeating the call.
    retry_after: Option<NonZeroU32>,
    /// Set if this is the outcome of an earlier call with the same key.
    replayed: bool,
    /// Set if the result, or the data of the error, does not match the description.
    pub(super) mismatch: bool,
    /// The fields that handlers have added.
    response_fields: Vec<ResponseField>,
}

impl Reply {
    /// Creates a reply without a body.
    pub(super) fn without_body(meta: Meta, callee: Option<Arc<Callee>>) -> Self {
        Self {
            meta,
            body: None,
            shared: None,
            subscription: None,
            code: None,
            callee,
            rejection: None,
            retry_after: None,
            replayed: false,
            mismatch: false,
            response_fields: Vec::new(),
        }
    }

    /// Creates the reply for a fault without a handler. `id` is the JSON text of the request's
    /// `id`.
    pub(super) fn fault(meta: Meta, id: Option<&str>, fault: &Fault) -> Self {
        let body = (!meta.notification).then(|| {
            let mut body = Vec::new();
            meta.protocol.write_fault(&mut body, id, fault);
            body
        });
        Self {
            body,
            code: Some(fault.code()),
            ..Self::without_body(meta, None)
        }
    }

    /// Creates the reply to a batch, from the array of responses.
    pub(super) fn batch(body: Option<Vec<u8>>) -> Self {
        Self {
            body,
            ..Self::without_body(Meta::bare(Protocol::V2_0, None), None)
        }
    }

    /// Creates the reply from the outcome of a call.
    #[inline]
    pub(super) fn ended(
        mut output: Output,
        result: Result<(), Fault>,
        meta: Meta,
        id: Option<&str>,
        callee: Arc<Callee>,
    ) -> Self {
        let fault = match result {
            Ok(()) if output.has_room_for(meta.protocol.end_length(id)) => {
                meta.protocol.end_result(&mut output.buffer, id);
                return Self {
                    body: (!meta.notification).then_some(output.buffer),
                    shared: output.shared,
                    subscription: output.subscription,
                    replayed: output.replayed,
                    mismatch: output.mismatch,
                    ..Self::without_body(meta, Some(callee))
                };
            }
            Ok(()) => Fault::protocol(code::RESPONSE_TOO_LARGE),
            Err(fault) => fault,
        };
        Self::failed(output, fault, meta, id).with_callee(callee)
    }

    #[cold]
    fn failed(output: Output, mut fault: Fault, meta: Meta, id: Option<&str>) -> Self {
        let limit = output.limit();
        let mut body = output.buffer;
        body.clear();
        meta.protocol.write_fault(&mut body, id, &fault);
        let rejection = fault.take_rejection();
        // A fault may have as much text as a result, and is bounded like one.
        if body.len() > limit && fault.code() != code::RESPONSE_TOO_LARGE {
            fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
            body = Vec::new();
            meta.protocol.write_fault(&mut body, id, &fault);
        }
        Self {
            body: (!meta.notification).then_some(body),
            code: Some(fault.code()),
            rejection,
            retry_after: fault.retry_after(),
            replayed: output.replayed,
            mismatch: output.mismatch,
            ..Self::without_body(meta, None)
        }
    }

    /// Sets the called procedure.
    pub(super) fn with_callee(mut self, callee: Arc<Callee>) -> Self {
        self.callee = Some(callee);
        self
    }

    /// Sets the fields that handlers have added. They go with a result or an error of the procedure's own; one that
    /// stands for an earlier call has none.
    #[inline]
    pub(super) fn set_fields(&mut self, fields: Vec<ResponseField>) {
        if !self.replayed && self.code.is_none_or(is_of_handler) {
            self.response_fields = fields;
        }
    }

    /// Removes the fields that handlers have added, and returns them in the order of their calls. For transports
    /// that can send them.
    pub fn take_response_fields(&mut self) -> Vec<ResponseField> {
        std::mem::take(&mut self.response_fields)
    }

    /// Returns whether the call has opened a subscription, which has not been taken.
    pub(super) fn opens_subscription(&self) -> bool {
        self.subscription.is_some()
    }

    /// Takes the subscription that the call has opened.
    pub(crate) fn take_subscription(&mut self) -> Option<Box<NewSubscription>> {
        self.subscription.take()
    }

    /// Replaces the response by a fault, unless it is an error of at most the same length.
    pub(super) fn replace(&mut self, id: Option<&str>, fault: &Fault) {
        let length = self.body_length();
        let Some(body) = &mut self.body else {
            return;
        };
        let mut replacement = Vec::new();
        self.meta.protocol.write_fault(&mut replacement, id, fault);
        // A short error says more than a replacement of the same length.
        if self.code.is_none() || replacement.len() < length {
            *body = replacement;
            self.shared = None;
            self.code = Some(fault.code());
            self.response_fields = Vec::new();
        }
    }

    /// Returns the body to send; `None` if there is no response.
    pub fn body(&self) -> Option<Cow<'_, [u8]>> {
        let body = self.body.as_deref()?;
        Some(match &self.shared {
            None => Cow::Borrowed(body),
            Some(shared) => Cow::Owned(joined(body, shared)),
        })
    }

    /// Returns the length of the body.
    pub(crate) fn body_length(&self) -> usize {
        let own = self.body.as_ref().map_or(0, Vec::len);
        own + self.shared.as_ref().map_or(0, |shared| shared.text.len())
    }

    /// Returns the memory that this response takes, in bytes. A description that it shares with
    /// other responses does not count.
    pub fn own_size(&self) -> usize {
        let own = self.body.as_ref().map_or(0, Vec::capacity);
        match &self.shared {
            // No other response has the text any more, so it is this one that keeps it in memory.
            Some(shared) if shared.text.is_unique() => own + shared.text.len(),
            _ => own,
        }
    }

    /// Replaces a response that cannot be sent by errors. For transports.
    ///
    /// A single idempotent call can simply be repeated: the response becomes Busy (-32002) with `id: null`,
    /// and this returns true. Otherwise, each result becomes Response too large (-32004), with the data
    /// `"ran": true` because the call has run, and errors of up to 1 KiB stay.
    pub fn withdraw(&mut self) -> bool {
        if self.procedure().is_some_and(|called| called.idempotent) {
            let busy = Self::fault(self.meta, None, &Fault::protocol(code::BUSY));
            *self = Self {
                callee: self.callee.take(),
                ..busy
            };
            return true;
        }
        let body = self.body().unwrap_or_default().into_owned();
        // The body is JSON, and so UTF-8.
        let response = String::from_utf8(body).unwrap_or_default();
        let mut withdrawn = Vec::new();
        let mut cursor = Cursor::new(&response);
        if cursor.eat("[") {
            while cursor.next_element() {
                withdrawn.push(if withdrawn.is_empty() { b'[' } else { b',' });
                write_withdrawn(&mut withdrawn, self.meta.protocol, cursor.value());
            }
            withdrawn.push(b']');
        } else {
            self.code = Some(code::RESPONSE_TOO_LARGE);
            write_withdrawn(&mut withdrawn, self.meta.protocol, &response);
        }
        self.body = Some(withdrawn);
        self.shared = None;
        self.response_fields = Vec::new();
        false
    }

    /// Returns the body to send; `None` if there is no response.
    pub fn into_body(self) -> Option<Vec<u8>> {
        Some(match self.into_parts()? {
            ReplyBody::Whole(body) => body,
            ReplyBody::Parts(parts) => parts.concat(),
        })
    }

    /// Returns the body to send, without copying a description into it; `None` if there is no
    /// response.
    pub fn into_parts(self) -> Option<ReplyBody> {
        let body = self.body?;
        Some(match self.shared {
            // The text has no other owner.
            Some(shared) if shared.text.is_unique() => ReplyBody::Whole(joined(&body, &shared)),
            Some(shared) => {
                let mut before = Bytes::from(body);
                let after = before.split_off(shared.at);
                ReplyBody::Parts([before, shared.text, after])
            }
            None => ReplyBody::Whole(body),
        })
    }

    /// Replaces the body. `code` is that of the error in the new body, if it is one.
    #[cfg(feature = "mcp")]
    pub(super) fn rewritten(self, body: Vec<u8>, code: Option<i64>) -> Self {
        Self {
            body: Some(body),
            shared: None,
            code,
            ..self
        }
    }

    /// Returns the protocol version of the response.
    pub fn protocol(&self) -> Protocol {
        self.meta.protocol
    }

    /// Returns the error code; `None` for a result, a batch, or no response.
    pub fn error_code(&self) -> Option<i64> {
        self.code
    }

    /// Returns the called procedure, if there was exactly one.
    pub fn procedure(&self) -> Option<&ProcedureDescription> {
        match &self.callee {
            Some(callee) if !callee.is_unknown => Some(&callee.description),
            _ => None,
        }
    }

    /// Returns the called procedure, if there was exactly one.
    pub(super) fn callee(&self) -> Option<&Callee> {
        self.callee.as_deref()
    }

    /// Returns how long caches may use the result of a query, if the procedure declares it.
    pub fn cache_for(&self) -> Option<Duration> {
        self.callee.as_ref()?.cache_for
    }

    /// Returns whether the response is for this caller only, because the procedure has a guard and
    /// no shared cache.
    pub fn is_personal(&self) -> bool {
        self.callee().is_some_and(Callee::is_personal)
    }

    /// Returns whether the procedure has a [shared cache](crate::Procedure::shared_cache).
    pub fn is_shared(&self) -> bool {
        self.callee().is_some_and(|callee| callee.shared_cache)
    }

    /// Returns the fields that the guards of the procedure read.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.callee.iter().flat_map(|callee| callee.fields())
    }

    /// Returns the kind of the rejection, if a guard has rejected the call.
    pub fn rejection(&self) -> Option<&RejectionKind> {
        self.rejection.as_deref()
    }

    /// Returns how long the caller should wait before it repeats the call, in whole seconds, if a
    /// [rate](code::TOO_MANY_REQUESTS) was exceeded, a [store of keys](crate::KeyStore) is full, or an authenticator was
    /// [busy](crate::Rejection::busy).
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds = self.retry_after?;
        Some(Duration::from_secs(seconds.get().into()))
    }

    /// Returns whether this is the outcome of an earlier call with the same key. The procedure did not
    /// run again.
    pub fn is_replayed(&self) -> bool {
        self.replayed
    }

    /// Creates the response to a request that never became a call, with `id: null`.
    pub fn request_error(error: RequestError) -> Self {
        Self::fault(Meta::bare(Protocol::V2_0, None), None, &error.into())
    }
}

/// The error of a request that never became a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// Too many calls are running (-32002).
    Busy,
    /// As many WebSockets and responses with events are open as may be (-32002).
    TooManyStreams {
        /// The limit.
        limit: usize,
    },
    /// The body is over the limit (-32003).
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The request cannot carry a call (-32600).
    Invalid {
        /// A sentence for the caller about what is wrong with the request.
        reason: String,
    },
    /// The address does not name a procedure (-32601).
    NoSuchProcedure,
}

// If `?` meets an error that it cannot convert, the compiler shows the line of this `impl`.
impl From<RequestError> for Fault // of the errors of other crates: `.internal()?`
{
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Busy => Self::protocol(code::BUSY),
            RequestError::TooManyStreams { limit } => {
                Self::over_limit(code::BUSY, limit, streams_reason(limit))
            }
            RequestError::TooLarge { limit } => Self::explained(
                code::REQUEST_TOO_LARGE,
                format_args!("the body may have at most {limit} bytes"),
            ),
            RequestError::Invalid { reason } => Self::explained(code::INVALID_REQUEST, reason),
            RequestError::NoSuchProcedure => Self::protocol(code::METHOD_NOT_FOUND),
        }
    }
}

/// The body of a response.
#[derive(Debug)]
pub enum ReplyBody {
    /// The whole body.
    Whole(Vec<u8>),
    /// The pieces to send one after the other: the text before a description, the description, which
    /// all responses share, and the text after it.
    Parts([Bytes; 3]),
}

/// The maximum length of an error that stays when a response is withdrawn, in bytes.
const MAX_KEPT_ERROR: usize = 1 << 10;

/// Writes what is sent for a response that was withdrawn: an error, or the response itself if it is a short error.
fn write_withdrawn(buffer: &mut Vec<u8>, protocol: Protocol, response: &str) {
    let mut cursor = Cursor::new(response);
    cursor.step();
    let mut id = None;
    let mut has_failed = false;
    while let Some(name) = cursor.next_member() {
        let value = cursor.value();
        match name.as_written() {
            "\"id\"" => id = Some(value),
            "\"error\"" => has_failed = value != "null",
            _ => {}
        }
    }
    let fault = Fault::protocol(code::RESPONSE_TOO_LARGE);
    if !has_failed {
        let ran = r#"{"ran":true}"#.to_owned();
        protocol.write_fault(buffer, id, &fault.with_json(ran));
    } else if response.len() > MAX_KEPT_ERROR {
        protocol.write_fault(buffer, id, &fault);
    } else {
        buffer.extend_from_slice(response.as_bytes());
    }
}

/// Returns whether only a handler that has run to its end returns this code, if it has added fields.
fn is_of_handler(code: i64) -> bool {
    code == code::INVALID_PARAMS
        || code::is_implementation_defined(code)
        || !code::RESERVED.contains(&code)
}

fn joined(body: &[u8], SharedPart { at, text }: &SharedPart) -> Vec<u8> {
    let (before, after) = body.split_at(*at);
    [before, text, after].concat()
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply")
            .field("body", &self.body().as_deref().map(String::from_utf8_lossy))
            .field("protocol", &self.meta.protocol)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}
