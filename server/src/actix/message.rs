//! Requests as the contract reads them, and responses as actix-web sends them.

use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method as HttpMethod, StatusCode, Version};
use actix_web::{HttpRequest, HttpResponse};

use super::body::Outgoing;
use crate::contract::pieces::Body;
use crate::contract::request::{Method, Request, Target};
use crate::contract::response::{After, Field, Response, Value};
use crate::contract::{Headers, Peer};

/// The request as the contract reads it.
pub(super) fn read(request: &HttpRequest) -> Request<'_> {
    let fields = request.headers();
    let mut headers = Headers::with_room_for(fields.len());
    for (name, value) in fields {
        headers.push(name.as_str(), value.as_bytes());
    }
    Request {
        method: method(request),
        target: Target {
            // actix-web's decoded path leaves `%2F` as it is and turns bytes that are not UTF-8 into
            // U+FFFD; this is the raw one.
            path: request.uri().path(),
            query: request.uri().query().unwrap_or_default(),
            host: request.uri().host(),
            mount: slashes_of_mount(request),
        },
        takes_any_length: request.version() >= Version::HTTP_11,
        peer: request.peer_addr().map(Peer),
        headers,
    }
}

pub(super) fn method(request: &HttpRequest) -> Method {
    match *request.method() {
        HttpMethod::GET => Method::Get,
        HttpMethod::HEAD => Method::Head,
        HttpMethod::POST => Method::Post,
        HttpMethod::OPTIONS => Method::Options,
        _ => Method::Other,
    }
}

/// The decoded path has the same slashes as the raw one, since `%2F` is never decoded there.
fn slashes_of_mount(request: &HttpRequest) -> usize {
    let decoded = request.match_info().as_str();
    let below = request.match_info().unprocessed().len();
    decoded[..decoded.len().saturating_sub(below)]
        .matches('/')
        .count()
}

/// The response to a request as actix-web sends it. `Incoming::end`
/// deals with the rest of the request's body.
pub(super) fn send(request: &HttpRequest, response: Response) -> HttpResponse {
    let Response {
        status,
        fields,
        body,
        after,
    } = response;
    // The contract has no status that is none.
    let status = StatusCode::from_u16(status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut sent = HttpResponse::new(status);
    let head = sent.head_mut();
    for (field, value) in fields {
        if let Some(value) = header_value(value) {
            head.headers_mut().insert(name(field), value);
        }
    }
    // actix-web takes an offer to go on in another protocol for a decision: it answers
    // `Connection: upgrade`, closes the connection behind the answer without a word, and loses what the
    // caller sends on it. `Server` takes offers out of a request before actix-web sees them; your own
    // `App` has no such place.
    let is_last = request.head().connection_type() == ConnectionType::Upgrade;
    if is_last || after != After::Open {
        head.set_connection_type(ConnectionType::Close);
    }
    with_body(sent, body, request.method() == HttpMethod::HEAD)
}

/// actix-web appends an answer of no bytes to what is to be written without looking at how much
/// that is already. A caller that asks again and again and never reads would fill the memory with
/// such answers. A response of unknown length waits until there is room, so 204 and 304 are sent
/// as such; any other gets its status in words as its body.
fn with_body(response: HttpResponse, body: Body, is_head: bool) -> HttpResponse {
    response.map_body(|head, _| {
        let body = match body {
            Body::None
                if matches!(
                    head.status,
                    StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
                ) =>
            {
                head.no_chunking(true);
                return BoxBody::new(Outgoing::empty_of_unknown_length());
            }
            Body::None => {
                let text = HeaderValue::from_static("text/plain; charset=utf-8");
                head.headers_mut().insert(header::CONTENT_TYPE, text);
                let reason = head.status.canonical_reason().unwrap_or("Answered");
                Body::Whole(format!("{reason}\n").into())
            }
            body => body,
        };
        match body {
            body if is_head => BoxBody::new(Outgoing::without_bytes(&body)),
            Body::Whole(bytes) => BoxBody::new(bytes),
            body => BoxBody::new(Outgoing::new(body)),
        }
    })
}

fn header_value(value: Value) -> Option<HeaderValue> {
    match value {
        Value::Borrowed(text) => Some(HeaderValue::from_static(text)),
        Value::Owned(text) => HeaderValue::try_from(text)
            .inspect_err(|error| tracing::error!(%error, "a header field was left out"))
            .ok(),
    }
}

/// The name of a field.
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
