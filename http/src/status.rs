//! The HTTP statuses of responses.
//!
//! The protocol's errors have theirs in the [table of codes](code::PROTOCOL_ERRORS), and errors of procedures in
//! the description. Here is which of them a response to POST, GET or an agent gets.

use docent_core::carrier::Reply;
use docent_core::{Protocol, RejectionKind, code};
use http::StatusCode;

/// Returns the status of a response to POST. 2.0 and 1.0 report errors in the body only, unless the procedure needs
/// another carrier; 1.1 (section 7.1) has a status for them.
pub(crate) fn of_post(reply: &Reply) -> StatusCode {
    match (reply.protocol(), reply.error_code()) {
        (Protocol::V1_1, Some(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        (_, Some(code @ code::NEEDS_A_CONNECTION)) => of_protocol_error(code),
        _ => StatusCode::OK,
    }
}

/// Returns the status of a response to GET. The draft of 1.1 has its own for three kinds of errors.
pub(crate) fn of_get(reply: &Reply) -> StatusCode {
    match (reply.error_code(), reply.protocol()) {
        (None, _) => StatusCode::OK,
        (Some(code::METHOD_NOT_FOUND), Protocol::V1_1) => StatusCode::NOT_FOUND,
        (Some(code::NOT_CALLABLE_WITH_GET), Protocol::V1_1) => StatusCode::METHOD_NOT_ALLOWED,
        (Some(_), Protocol::V1_1) => StatusCode::INTERNAL_SERVER_ERROR,
        (Some(code), _) => of_number(Some(code::get_status(code, reply.procedure()))),
    }
}

/// Returns the status of a response to a message of the Model Context Protocol.
#[cfg(feature = "mcp")]
pub(crate) fn of_mcp(reply: &docent_core::carrier::McpReply) -> StatusCode {
    use docent_core::carrier::McpStatus;
    match reply.status {
        McpStatus::Accepted => StatusCode::ACCEPTED,
        McpStatus::Malformed => StatusCode::BAD_REQUEST,
        McpStatus::UnknownMethod => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Returns 401 if the caller can authenticate, and 403 otherwise.
pub(crate) fn of_rejection(rejection: &RejectionKind) -> StatusCode {
    match rejection.challenge() {
        Some(_) => StatusCode::UNAUTHORIZED,
        None => of_protocol_error(code::REFUSED),
    }
}

/// Returns the status of a POST that gets an error of the protocol instead of being run.
pub(crate) fn of_protocol_error(code: i64) -> StatusCode {
    of_number(code::find(code).and_then(|error| error.post_status))
}

/// Returns the status of a number. Errors that have none get the general one.
fn of_number(number: Option<u16>) -> StatusCode {
    number
        .and_then(|number| StatusCode::from_u16(number).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
