//! Answers to what never became a request, for which nobody else has a body.

use std::fmt::Write as _;

use actix_web::http::StatusCode;
use docent_core::{Refusal, Reply};

/// The answer to a head that did not arrive in time.
pub(super) fn too_late() -> Vec<u8> {
    let reason = "the head of the request did not arrive in time";
    malformed(StatusCode::REQUEST_TIMEOUT, reason)
}

/// The answer to a head that has no end.
pub(super) fn too_long() -> Vec<u8> {
    let reason = "the head of the request is too long";
    malformed(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, reason)
}

/// The answer in place of one of actix-http's own, which has no body.
pub(super) fn in_place_of(answered: &[u8]) -> Option<Vec<u8>> {
    let status = answered.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    let status = StatusCode::from_bytes(status).ok()?;
    match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Some(too_long()),
        StatusCode::BAD_REQUEST => {
            let reason = "the head of the request is not one that HTTP/1.1 allows";
            Some(malformed(status, reason))
        }
        _ => None,
    }
}

/// The answer of a server that shuts down.
pub(in crate::actix::server) fn busy(retry_after: u64) -> Vec<u8> {
    let field = format!("retry-after: {retry_after}\r\n");
    answer(StatusCode::SERVICE_UNAVAILABLE, Refusal::Busy, &field)
}

fn malformed(status: StatusCode, reason: &str) -> Vec<u8> {
    let reason = reason.to_owned();
    answer(status, Refusal::NotARequest { reason }, "")
}

fn answer(status: StatusCode, refusal: Refusal, fields: &str) -> Vec<u8> {
    let reply = Reply::refusal(refusal);
    let body = reply.into_body().unwrap_or_default();
    let mut head = format!("HTTP/1.1 {status}\r\n");
    // Writing to a string does not fail.
    let _ = write!(
        head,
        "content-length: {}\r\nconnection: close\r\ncache-control: no-store\r\n\
         content-type: application/json\r\n{fields}\r\n",
        body.len()
    );
    [head.as_bytes(), &body].concat()
}
