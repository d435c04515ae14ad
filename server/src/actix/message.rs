//! Converts actix-web requests for the contract, and the contract's responses for actix-web.

use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method as HttpMethod, StatusCode, Version};
use actix_web::{HttpRequest, HttpResponse};

use super::body::Outgoing;
use crate::contract::pieces::Body;
use crate::contract::request::{Method, Request, Target};
use crate::contract::response::{After, Field, Response, Value};
use crate::contract::{Headers, Peer};

/// Converts a request.
pub(super) fn read(request: &HttpRequest) -> Request<'_> {
    let fields = request.headers();
    let mut headers = Headers::with_room_for(fields.len());
    for (name, value) in fields {
        headers.push(name.as_str(), value.as_bytes());
    }
    Request {
        method: method(request),
        target: Target {
            // actix-web's decoded path keeps `%2F` and turns bytes that are not UTF-8 into U+FFFD,
            // so the contract gets the raw path.
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

/// Counts the slashes in the mount's decoded path. The raw path has the same number, because
/// actix-web never decodes `%2F`.
fn slashes_of_mount(request: &HttpRequest) -> usize {
    let decoded = request.match_info().as_str();
    let below = request.match_info().unprocessed().len();
    decoded[..decoded.len().saturating_sub(below)]
        .matches('/')
        .count()
}

/// Converts a response. `Incoming::end` handles the rest of the request's body.
pub(super) fn send(request: &HttpRequest, response: Response) -> HttpResponse {
    let Response {
        status,
        fields,
        body,
        after,
    } = response;
    // Every status of the contract is a valid one.
    let status = StatusCode::from_u16(status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut sent = HttpResponse::new(status);
    let head = sent.head_mut();
    for (field, value) in fields {
        if let Some(value) = header_value(value) {
            head.headers_mut().insert(name(field), value);
        }
    }
    // actix-web treats an offer to upgrade as a decision: it sends `Connection: upgrade`, closes
    // the connection after the response and loses what the caller sends on it. `Server` removes
    // such offers before actix-web sees them. In your own `App`, nothing does.
    let is_last = request.head().connection_type() == ConnectionType::Upgrade;
    if is_last || after != After::Open {
        head.set_connection_type(ConnectionType::Close);
    }
    with_body(sent, body, request.method() == HttpMethod::HEAD)
}

/// actix-web appends an empty response to its write buffer without checking the buffer's size, so a
/// caller that sends requests and never reads could fill the memory. A response of unknown length
/// waits for room in the buffer. 204 and 304 are therefore sent with unknown length, and any other
/// empty response gets the text of its status as its body.
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
