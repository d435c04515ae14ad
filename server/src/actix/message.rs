//! Converts actix-http's requests for the contract, and the contract's responses for actix-http.

use std::cell::RefCell;
use std::sync::LazyLock;

use actix_http::{RequestHead, Response as HttpResponse};
use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method as HttpMethod, StatusCode, Version};
use docent_core::{RequestId, RequestIds};

use super::body::Outgoing;
use crate::contract::pieces::Body;
use crate::contract::request::{Method, Request, Target};
use crate::contract::response::{After, Field, Response, Value};
use crate::contract::{Headers, Peer};
use crate::runtime::TokioRuntime;

/// Converts a request for a mount whose path has this many slashes.
pub(super) fn read(head: &RequestHead, mount: usize, id: RequestId) -> Request<'_> {
    let mut headers = Headers::with_room_for(head.headers.len_keys());
    for (name, value) in &head.headers {
        headers.push_lower(name.as_str(), value.as_bytes());
    }
    Request {
        method: method(head),
        target: Target {
            // actix-web's decoded path keeps `%2F` and turns bytes that are not UTF-8 into U+FFFD,
            // so the contract gets the raw path.
            path: head.uri.path(),
            query: head.uri.query().unwrap_or_default(),
            host: head.uri.host(),
            mount,
        },
        takes_any_length: head.version >= Version::HTTP_11,
        peer: head.peer_addr.map(Peer),
        headers,
        id,
        forwarded: RefCell::default(),
    }
}

/// The name of the field with the ID of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the ID of a request: the one that it has, if that is well-formed and the only one, or a new
/// one.
pub(super) fn request_id(head: &RequestHead) -> RequestId {
    let mut values = head.headers.get_all(REQUEST_ID);
    let given = match (values.next(), values.next()) {
        (Some(given), None) => given.to_str().ok().and_then(RequestId::new),
        _ => None,
    };
    given.unwrap_or_else(generated_id)
}

/// Returns an ID for a request that has none.
pub(super) fn generated_id() -> RequestId {
    // One generator for the whole process, so that no two of its requests have the same ID.
    static IDS: LazyLock<RequestIds> = LazyLock::new(|| RequestIds::new(&TokioRuntime));
    IDS.generate()
}

pub(super) fn method(head: &RequestHead) -> Method {
    match head.method {
        HttpMethod::GET => Method::Get,
        HttpMethod::HEAD => Method::Head,
        HttpMethod::POST => Method::Post,
        HttpMethod::OPTIONS => Method::Options,
        _ => Method::Other,
    }
}

/// Counts the slashes in the decoded path of the mount that actix-web has found. The raw path has the
/// same number, because actix-web never decodes `%2F`.
pub(super) fn slashes_of_mount(request: &HttpRequest) -> usize {
    let decoded = request.match_info().as_str();
    let below = request.match_info().unprocessed().len();
    decoded[..decoded.len().saturating_sub(below)]
        .matches('/')
        .count()
}

/// Converts a response. `Incoming::rest` handles the rest of the request's body.
pub(super) fn send(
    head: &RequestHead,
    response: Response,
    id: &RequestId,
) -> HttpResponse<Outgoing> {
    let Response {
        status,
        fields,
        body,
        after,
        is_told,
    } = response;
    // Every status of the contract is a valid one.
    let status = StatusCode::from_u16(status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let is_to_head = head.method == HttpMethod::HEAD;
    let is_last = after != After::Open || offers_upgrade(head);
    let (body, is_worded) = outgoing(body, status, is_to_head);
    let mut sent = HttpResponse::with_body(status, body);
    let head = sent.head_mut();
    for (field, value) in fields {
        if let Some(value) = header_value(value) {
            head.headers.insert(name(field), value);
        }
    }
    // An ID consists of characters that a field may have.
    if is_told && let Ok(id) = HeaderValue::from_bytes(id.as_bytes()) {
        head.headers.insert(REQUEST_ID, id);
    }
    if is_worded {
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        head.headers.insert(header::CONTENT_TYPE, text);
    }
    if is_bodiless(status) {
        head.no_chunking(true);
    }
    if is_last {
        head.set_connection_type(ConnectionType::Close);
    }
    sent
}

/// Returns whether a request offers an upgrade. actix-http treats an offer as a decision: it sends
/// `Connection: upgrade`, closes the connection after the response and loses what the caller sends on
/// it. `Server` removes such offers before actix-http sees them. In your own `App`, nothing does.
fn offers_upgrade(head: &RequestHead) -> bool {
    head.connection_type() == ConnectionType::Upgrade
}

/// Returns the body to send, and whether it is the text of the status.
///
/// actix-http appends an empty response to its write buffer without checking the buffer's size, so a
/// caller that sends requests and never reads could fill the memory. A response of unknown length
/// waits for room in the buffer. 202, 204 and 304 are therefore sent with unknown length, and any other
/// empty response gets the text of its status as its body.
fn outgoing(body: Body, status: StatusCode, is_to_head: bool) -> (Outgoing, bool) {
    let (body, is_worded) = match body {
        Body::None if is_bodiless(status) => return (Outgoing::empty_of_unknown_length(), false),
        Body::None if status == StatusCode::ACCEPTED => {
            return (Outgoing::empty_of_unknown_length(), false);
        }
        Body::None => {
            let reason = status.canonical_reason().unwrap_or("Answered");
            (Body::Whole(format!("{reason}\n").into()), true)
        }
        body => (body, false),
    };
    let body = if is_to_head {
        Outgoing::without_bytes(&body)
    } else {
        Outgoing::new(body)
    };
    (body, is_worded)
}

/// Returns whether responses with this status have no body.
fn is_bodiless(status: StatusCode) -> bool {
    matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
}

fn header_value(value: Value) -> Option<HeaderValue> {
    match value {
        Value::Borrowed(text) => {
            Some(known(text).unwrap_or_else(|| HeaderValue::from_static(text)))
        }
        Value::Owned(text) => HeaderValue::try_from(text)
            .inspect_err(|error| tracing::error!(%error, "a header field was left out"))
            .ok(),
    }
}

/// Returns the values that almost every response has, validated at compile time.
fn known(text: &str) -> Option<HeaderValue> {
    macro_rules! one_of {
        ($($text:literal),*) => {
            match text {
                $($text => Some(const { HeaderValue::from_static($text) }),)*
                _ => None,
            }
        };
    }
    one_of!(
        "application/json",
        "nosniff",
        "no-store",
        "no-cache",
        "Accept-Encoding, Authorization, Cookie"
    )
}

/// Returns the name of a header field.
pub(super) fn name(field: Field) -> HeaderName {
    match field {
        Field::AcceptEncoding => header::ACCEPT_ENCODING,
        Field::AcceptPost => HeaderName::from_static("accept-post"),
        Field::Allow => header::ALLOW,
        Field::CacheControl => header::CACHE_CONTROL,
        Field::ContentEncoding => header::CONTENT_ENCODING,
        #[cfg(feature = "docs")]
        Field::ContentSecurityPolicy => header::CONTENT_SECURITY_POLICY,
        Field::ContentType => header::CONTENT_TYPE,
        Field::ETag => header::ETAG,
        Field::IdempotentReplayed => HeaderName::from_static("idempotent-replayed"),
        Field::Link => header::LINK,
        Field::Location => header::LOCATION,
        #[cfg(feature = "docs")]
        Field::ReferrerPolicy => header::REFERRER_POLICY,
        Field::RetryAfter => header::RETRY_AFTER,
        Field::Vary => header::VARY,
        Field::WwwAuthenticate => header::WWW_AUTHENTICATE,
        Field::XContentTypeOptions => header::X_CONTENT_TYPE_OPTIONS,
    }
}
