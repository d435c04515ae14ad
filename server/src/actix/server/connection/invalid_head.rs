//! Responses to bytes that never became a request.
//!
//! No exchange begins for them, so they are built once and sent without going through the
//! contract's dispatch.

use std::net::SocketAddr;
use std::sync::Mutex;

use docent_core::RequestId;
use docent_http::request_error::{self, invalid_request};
use docent_http::{ConnectionState, Response};
use docent_http::{Endpoint, Headers, Peer};
use docent_http::{ListenerInfo, Request, RequestTarget, generated_request_id};
use http::{Method, StatusCode, header};

/// The reason why a head of a request is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InvalidHead {
    status: StatusCode,
    reason: &'static str,
}

/// A head that arrived too late.
pub(super) const TOO_LATE: InvalidHead = InvalidHead {
    status: StatusCode::REQUEST_TIMEOUT,
    reason: "the head of the request did not arrive in time",
};

/// A head that is too long.
pub(super) const TOO_LONG: InvalidHead = InvalidHead {
    status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    reason: "the head of the request is too long",
};

/// TLS on a port for plain HTTP.
pub(super) const WITH_TLS: InvalidHead =
    malformed("this port does not expect TLS: use an http:// URL");

/// Plain HTTP on a port for TLS.
#[cfg(feature = "tls")]
pub(super) const WITHOUT_TLS: InvalidHead = malformed("this port expects TLS: use an https:// URL");

/// A head with a line that ends with a bare LF.
pub(super) const BARE_LF: InvalidHead = malformed("each line of the head must end with CRLF");

/// A head whose `Host` is malformed.
pub(super) const NO_HOST: InvalidHead =
    malformed("Host must be there once, and be a host with or without a port");

/// A head that actix-http rejects.
pub(super) const MALFORMED_HEAD: InvalidHead =
    malformed("the head of the request is not one that HTTP/1.1 allows");

const fn malformed(reason: &'static str) -> InvalidHead {
    InvalidHead {
        status: StatusCode::BAD_REQUEST,
        reason,
    }
}

/// Returns the response of a server that is shutting down.
pub(in crate::actix::server) fn busy(retry_after: u64) -> Response {
    let mut response = request_error::busy().with(header::RETRY_AFTER, retry_after.to_string());
    response.after = ConnectionState::Drain;
    response
}

/// Returns the response to the peer of a connection, and reports it to the observers of a service.
pub(super) fn respond(
    service: &Endpoint,
    peer: Option<SocketAddr>,
    invalid: InvalidHead,
) -> (Response, RequestId) {
    let id = generated_request_id();
    let request = Request {
        method: Method::POST,
        target: RequestTarget::default(),
        peer: peer.map(Peer),
        listener: ListenerInfo::default(),
        headers: Headers::default(),
        can_upgrade: false,
        id: id.clone(),
        forwarded: Mutex::default(),
    };
    let mut response = service.fail(&request, invalid.status, invalid_request(invalid.reason));
    response.after = ConnectionState::Drain;
    (response, id)
}
