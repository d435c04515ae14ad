//! The HTTP statuses of error codes.
//!
//! Statuses come from the table of codes and from what a procedure declares.

use docent_core::{Denial, Protocol, Reply, code};
use docent_describe::ProcedureDescription;
use http::StatusCode;

/// Returns the status of a response to POST. 2.0 and 1.0 report errors in the body only; 1.1
/// (section 7.1) has a status for them.
pub(crate) fn of_post(reply: &Reply) -> StatusCode {
    match (reply.protocol(), reply.error_code()) {
        (Protocol::V1_1, Some(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}

/// Returns the status of a response to GET.
pub(crate) fn of_get(reply: &Reply) -> StatusCode {
    match (reply.error_code(), reply.protocol()) {
        (None, _) => StatusCode::OK,
        (Some(code::METHOD_NOT_FOUND), Protocol::V1_1) => StatusCode::NOT_FOUND,
        (Some(code::NOT_CALLABLE_WITH_GET), Protocol::V1_1) => StatusCode::METHOD_NOT_ALLOWED,
        (Some(_), Protocol::V1_1) => StatusCode::INTERNAL_SERVER_ERROR,
        (Some(code), _) => of_code(code, reply.procedure()),
    }
}

/// Returns the status of a response to a message of the Model Context Protocol.
#[cfg(feature = "mcp")]
pub(crate) fn of_mcp(reply: &docent_core::McpReply) -> StatusCode {
    use docent_core::McpStatus;
    match reply.status {
        McpStatus::Accepted => StatusCode::ACCEPTED,
        McpStatus::Malformed => StatusCode::BAD_REQUEST,
        McpStatus::UnknownMethod => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Returns 401 if the caller can authenticate, and 403 otherwise.
pub(crate) fn of_denial(denial: &Denial) -> StatusCode {
    match denial.challenge {
        Some(_) => StatusCode::UNAUTHORIZED,
        None => StatusCode::FORBIDDEN,
    }
}

/// Returns the status of GET for a code: HTTP's column of [the table](code::TABLE) for the protocol's own
/// codes, otherwise the status that the procedure declares, otherwise 500.
fn of_code(code: i64, procedure: Option<&ProcedureDescription>) -> StatusCode {
    match code {
        code::INVALID_REQUEST | code::INVALID_PARAMS => StatusCode::BAD_REQUEST,
        code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        code::TIMED_OUT => StatusCode::GATEWAY_TIMEOUT,
        code::BUSY => StatusCode::SERVICE_UNAVAILABLE,
        code::REQUEST_TOO_LARGE => StatusCode::URI_TOO_LONG,
        code::NOT_CALLABLE_WITH_GET => StatusCode::METHOD_NOT_ALLOWED,
        code::REFUSED => StatusCode::FORBIDDEN,
        code::TOO_MANY_REQUESTS => StatusCode::TOO_MANY_REQUESTS,
        _ => declared(code, procedure).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn declared(code: i64, procedure: Option<&ProcedureDescription>) -> Option<StatusCode> {
    let error = procedure?.errors.iter().find(|error| error.code == code)?;
    StatusCode::from_u16(error.status?).ok()
}
