//! Responses to what never became a request, as bytes for a connection.

use std::fmt::Write as _;

use actix_web::http::StatusCode;
use bytes::Bytes;
use docent_core::{Refusal, Reply};

use crate::actix::message;
use crate::contract::pieces::Body;
use crate::contract::response::{Field, Response, Status};

/// Returns the response to a head that did not arrive in time.
pub(super) fn too_late() -> Vec<u8> {
    let reason = "the head of the request did not arrive in time";
    malformed(Status::REQUEST_TIMEOUT, reason)
}

/// Returns the response to a head that is too long.
pub(super) fn too_long() -> Vec<u8> {
    let reason = "the head of the request is too long";
    malformed(Status::REQUEST_HEADER_FIELDS_TOO_LARGE, reason)
}

/// Returns the response to a request without TLS where TLS is expected.
#[cfg(feature = "tls")]
pub(super) fn without_tls() -> Vec<u8> {
    let reason = "this port expects TLS: use an https:// URL";
    malformed(Status::BAD_REQUEST, reason)
}

/// Returns the response to TLS where plain HTTP is expected.
pub(super) fn with_tls() -> Vec<u8> {
    let reason = "this port does not expect TLS: use an http:// URL";
    malformed(Status::BAD_REQUEST, reason)
}

/// Returns the response that replaces one of actix-http's own, which has no body.
pub(super) fn in_place_of(sent: &[u8]) -> Option<Vec<u8>> {
    let status = sent.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    match status {
        b"431" => Some(too_long()),
        b"400" => {
            let reason = "the head of the request is not one that HTTP/1.1 allows";
            Some(malformed(Status::BAD_REQUEST, reason))
        }
        _ => None,
    }
}

/// Returns the response of a server that is shutting down.
pub(in crate::actix::server) fn busy(retry_after: u64) -> Vec<u8> {
    let response = Response::of_reply(Status::SERVICE_UNAVAILABLE, Reply::refusal(Refusal::Busy));
    write(response.with(Field::RetryAfter, retry_after.to_string()))
}

fn malformed(status: Status, reason: &str) -> Vec<u8> {
    let reason = reason.to_owned();
    let reply = Reply::refusal(Refusal::NotARequest { reason });
    write(Response::of_reply(status, reply))
}

/// Serialises a response after which the connection closes.
fn write(response: Response) -> Vec<u8> {
    let code = response.status.code();
    let reason = StatusCode::from_u16(code).ok();
    let reason = reason.and_then(|status| status.canonical_reason());
    let mut head = format!("HTTP/1.1 {code} {}\r\n", reason.unwrap_or_default());
    for (field, value) in response.fields {
        // Writing to a `String` cannot fail.
        let _ = write!(head, "{}: {value}\r\n", message::name(field));
    }
    let _ = write!(head, "x-request-id: {}\r\n", message::generated_id());
    // A refusal is a few bytes of JSON.
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
