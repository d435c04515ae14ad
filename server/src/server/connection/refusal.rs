//! Answers to what never became a request, for which nobody else has a body.

use std::fmt::Write as _;

use actix_web::http::StatusCode;
use docent_core::{Refusal, Reply};

/// The answer to a head that did not arrive in time.
pub(super) fn too_late() -> Vec<u8> {
    let reason = "the head of the request did not arrive in time";
    answer(StatusCode::REQUEST_TIMEOUT, reason)
}

/// The answer to a head that has no end.
pub(super) fn too_long() -> Vec<u8> {
    let reason = "the head of the request is too long";
    answer(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, reason)
}

/// The answer in place of one of actix-http's own, which has no body.
pub(super) fn in_place_of(answered: &[u8]) -> Option<Vec<u8>> {
    let status = answered.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    let status = StatusCode::from_bytes(status).ok()?;
    match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Some(too_long()),
        StatusCode::BAD_REQUEST => {
            let reason = "the head of the request is not one that HTTP/1.1 allows";
            Some(answer(status, reason))
        }
        _ => None,
    }
}

fn answer(status: StatusCode, reason: &str) -> Vec<u8> {
    let reason = reason.to_owned();
    let reply = Reply::refusal(Refusal::NotARequest { reason });
    let body = reply.into_body().unwrap_or_default();
    let mut head = format!("HTTP/1.1 {status}\r\n");
    // Writing to a string does not fail.
    let _ = write!(
        head,
        "content-length: {}\r\nconnection: close\r\ncache-control: no-store\r\n\
         content-type: application/json\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), &body].concat()
}
