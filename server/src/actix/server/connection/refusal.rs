//! Responses to bytes that never became a request.

use std::cell::RefCell;
use std::net::SocketAddr;

use docent_core::RequestId;
use docent_http::refusal::{self, because};
use docent_http::request::{ListenerInfo, Request, Target};
use docent_http::response::{After, Response};
use docent_http::{Endpoint, Headers, Peer};
use http::{Method, StatusCode, header};

use crate::actix::message;

/// The refusal of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RefusedHead {
    status: StatusCode,
    reason: &'static str,
}

/// A head that did not arrive in time.
pub(super) const TOO_LATE: RefusedHead = RefusedHead {
    status: StatusCode::REQUEST_TIMEOUT,
    reason: "the head of the request did not arrive in time",
};

/// A head that is too long.
pub(super) const TOO_LONG: RefusedHead = RefusedHead {
    status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    reason: "the head of the request is too long",
};

/// TLS on a port for plain HTTP.
pub(super) const WITH_TLS: RefusedHead =
    malformed("this port does not expect TLS: use an http:// URL");

/// Plain HTTP on a port for TLS.
#[cfg(feature = "tls")]
pub(super) const WITHOUT_TLS: RefusedHead = malformed("this port expects TLS: use an https:// URL");

/// A head with a line that ends with a bare LF.
pub(super) const BARE_LF: RefusedHead = malformed("each line of the head must end with CRLF");

/// A head whose `Host` is malformed.
pub(super) const NO_HOST: RefusedHead =
    malformed("Host must be there once, and be a host with or without a port");

/// A head that actix-http rejects.
pub(super) const MALFORMED_HEAD: RefusedHead =
    malformed("the head of the request is not one that HTTP/1.1 allows");

const fn malformed(reason: &'static str) -> RefusedHead {
    RefusedHead {
        status: StatusCode::BAD_REQUEST,
        reason,
    }
}

/// Returns the response of a server that is shutting down.
pub(in crate::actix::server) fn busy(retry_after: u64) -> Response {
    let mut response = refusal::busy().with(header::RETRY_AFTER, retry_after.to_string());
    response.after = After::Drain;
    response
}

/// Returns the response to the peer of a connection, and reports it to the observers of a service.
pub(super) fn told(
    service: &Endpoint,
    peer: Option<SocketAddr>,
    refused: RefusedHead,
) -> (Response, RequestId) {
    let id = message::generated_id();
    let request = Request {
        method: Method::POST,
        target: Target::default(),
        peer: peer.map(Peer),
        listener: ListenerInfo::default(),
        headers: Headers::default(),
        id: id.clone(),
        forwarded: RefCell::default(),
    };
    let mut response = service.refuse(&request, refused.status, because(refused.reason));
    response.after = After::Drain;
    (response, id)
}
