//! Responses to bytes that never became a request, written for a connection.

use std::fmt::Write as _;
use std::net::SocketAddr;

use actix_web::http::StatusCode;
use bytes::Bytes;
use docent_core::{Extensions, Protocol, Refusal, Reply, RequestId, Service};

use crate::actix::message;
use crate::contract::pieces::Body;
use crate::contract::response::{Field, Response, Status};
use crate::contract::{OverUnix, Peer};

/// The status of a refusal, and its reason.
pub(super) type Refused = (Status, &'static str);

/// A head that did not arrive in time.
pub(super) const TOO_LATE: Refused = (
    Status::REQUEST_TIMEOUT,
    "the head of the request did not arrive in time",
);

/// A head that is too long.
pub(super) const TOO_LONG: Refused = (
    Status::REQUEST_HEADER_FIELDS_TOO_LARGE,
    "the head of the request is too long",
);

/// TLS on a port for plain HTTP.
pub(super) const WITH_TLS: Refused = (
    Status::BAD_REQUEST,
    "this port does not expect TLS: use an http:// URL",
);

/// A head that actix-http rejects.
const MALFORMED: Refused = (
    Status::BAD_REQUEST,
    "the head of the request is not one that HTTP/1.1 allows",
);

/// Returns the response to a request without TLS on a port for TLS.
#[cfg(feature = "tls")]
pub(super) fn without_tls() -> Vec<u8> {
    let reason = "this port expects TLS: use an https:// URL".to_owned();
    let reply = Reply::refusal(Refusal::NotARequest { reason });
    write(Response::of_reply(Status::BAD_REQUEST, reply), None)
}

/// Returns the refusal that replaces a response of actix-http's own, which has no body.
pub(super) fn in_place_of(sent: &[u8]) -> Option<Refused> {
    match sent.strip_prefix(b"HTTP/1.")?.get(2..5)? {
        b"431" => Some(TOO_LONG),
        b"400" => Some(MALFORMED),
        _ => None,
    }
}

/// Returns the response of a server that is shutting down.
pub(in crate::actix::server) fn busy(retry_after: u64) -> Vec<u8> {
    let response = Response::of_reply(Status::SERVICE_UNAVAILABLE, Reply::refusal(Refusal::Busy));
    let response = response.with(Field::RetryAfter, retry_after.to_string());
    write(response, None)
}

/// Returns the response to the peer of a connection, and reports it to the observers of a service.
pub(super) fn told(service: &Service, peer: Option<SocketAddr>, refused: Refused) -> Vec<u8> {
    let id = message::generated_id();
    let mut known = Extensions::new();
    known.insert(id.clone());
    match peer {
        Some(peer) => {
            known.insert(Peer(peer));
            known.set_client_address(peer.ip().to_canonical());
        }
        None => known.insert(OverUnix),
    }
    let (status, reason) = refused;
    let reason = reason.to_owned();
    let refusal = Refusal::NotARequest { reason };
    let reply = service.turn_away(Protocol::V2_0, refusal, Some(known.into()));
    write(Response::of_reply(status, reply), Some(&id))
}

/// Serialises a response after which the connection closes.
fn write(response: Response, id: Option<&RequestId>) -> Vec<u8> {
    let code = response.status.code();
    let reason = StatusCode::from_u16(code).ok();
    let reason = reason.and_then(|status| status.canonical_reason());
    let mut head = format!("HTTP/1.1 {code} {}\r\n", reason.unwrap_or_default());
    for (field, value) in response.fields {
        // Writing to a `String` cannot fail.
        let _ = write!(head, "{}: {value}\r\n", message::name(field));
    }
    if let Some(id) = id {
        let _ = write!(head, "x-request-id: {id}\r\n");
    }
    // A refusal is small, so its body is whole.
    let body = match response.body {
        Body::Whole(body) => body,
        _ => Bytes::new(),
    };
    let _ = write!(
        head,
        "content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), &body].concat()
}
