//! Converts actix-http's requests for the contract, and the contract's responses for actix-http.
//!
//! These are the only conversions between the two: actix uses an older version of the `http` crate,
//! and its types appear nowhere else.

use std::sync::Mutex;

use actix_http::RequestHead;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method as HttpMethod, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use docent_core::RequestId;
use docent_http::{ConnectionState, Draining, Response};
use docent_http::{Headers, Peer};
use docent_http::{ListenerInfo, Request, RequestTarget};
use http::Method;

use super::body::Outgoing;
use super::upload::AppUpload;

/// Converts a request for a mount whose path has this many slashes, from a listener of which nothing is
/// known.
pub(super) fn read(head: &RequestHead, mount: usize, id: RequestId) -> Request<'_> {
    let mut headers = Headers::with_capacity(head.headers.len_keys());
    for (name, value) in &head.headers {
        headers.push_lower(name.as_str(), value.as_bytes());
    }
    Request {
        // The contract treats all other methods alike.
        method: Method::from_bytes(head.method.as_str().as_bytes()).unwrap_or(Method::TRACE),
        target: RequestTarget {
            // actix-web's decoded path keeps `%2F` and turns bytes that are not UTF-8 into U+FFFD,
            // so the contract gets the raw path.
            path: head.uri.path(),
            prefix: "",
            query: head.uri.query().unwrap_or_default(),
            host: head.uri.host(),
            mount,
        },
        peer: head.peer_addr.map(Peer),
        listener: ListenerInfo::default(),
        headers,
        can_upgrade: false,
        id,
        forwarded: Mutex::default(),
    }
}

/// The name of the field with the ID of a request.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the ID of a request: the one that it has, or a new one.
pub(super) fn request_id(head: &RequestHead) -> RequestId {
    docent_http::request_id(head.headers.get_all(REQUEST_ID).map(HeaderValue::as_bytes))
}

/// Counts the slashes in the decoded path of the mount that actix-web has found. The raw path has the
/// same number, because actix-web never decodes `%2F`.
pub(super) fn slashes_of_mount(request: &HttpRequest) -> usize {
    let decoded = request.match_info().as_str();
    let below = request.match_info().unprocessed().len();
    let mount = &decoded[..decoded.len().saturating_sub(below)];
    mount.matches('/').count()
}

/// Converts a response for an `App`, with the rest of the request to read after it.
pub(super) fn send(
    head: &RequestHead,
    response: Response,
    rest: Option<Draining<AppUpload>>,
    id: &RequestId,
) -> HttpResponse {
    // A status is the same number in both versions of `http`.
    let status =
        StatusCode::from_u16(response.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    // actix-http treats an offer to upgrade as a decision: it sends `Connection: upgrade`, closes the
    // connection after the response and loses what the caller sends on it.
    let offers_upgrade = head.connection_type() == ConnectionType::Upgrade;
    let is_last = rest.is_some() || response.after != ConnectionState::Open || offers_upgrade;
    let body = Outgoing::new(response.body, head.method == HttpMethod::HEAD, rest);
    let mut sent = HttpResponse::with_body(status, body.boxed());
    let head = sent.head_mut();
    for (field, value) in response.fields {
        let name = HeaderName::from_bytes(field.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(&*value)) {
            head.headers.append(name, value);
        } else {
            tracing::error!(%field, "a header field was left out");
        }
    }
    // An ID consists of characters that a field may have.
    if response.is_told
        && let Ok(id) = HeaderValue::from_bytes(id.as_bytes())
    {
        head.headers.insert(REQUEST_ID, id);
    }
    if is_last {
        head.set_connection_type(ConnectionType::Close);
    }
    sent
}
