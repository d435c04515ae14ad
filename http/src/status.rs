//! The HTTP statuses of error codes.

use docent_core::{Denial, Protocol, Reply, code};
use docent_describe::ProcedureDescription;
use http::StatusCode;

/// Returns the status of a response to POST. 2.0 and 1.0 report errors in the body only; 1.1
/// (section 7.1) has a status for them.
pub(crate) fn of_post(reply: &Reply) -> StatusCode {
    if let Some(denial) = reply.denial() {
        return of_denial(denial);
    }
    match (reply.protocol(), reply.error_code()) {
        (Protocol::V1_1, Some(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}

/// Returns the status of a response to GET.
pub(crate) fn of_get(reply: &Reply) -> StatusCode {
    if let Some(denial) = reply.denial() {
        return of_denial(denial);
    }
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
    if let Some(denial) = reply.reply.denial() {
        return of_denial(denial);
    }
    match reply.status {
        McpStatus::Accepted => StatusCode::ACCEPTED,
        McpStatus::Malformed => StatusCode::BAD_REQUEST,
        McpStatus::UnknownMethod => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// Returns 401 if the caller can authenticate, and 403 otherwise.
fn of_denial(denial: &Denial) -> StatusCode {
    match denial.challenge {
        Some(_) => StatusCode::UNAUTHORIZED,
        None => StatusCode::FORBIDDEN,
    }
}

/// The statuses of GET for the protocol's own codes: HTTP's column of [the table](code::TABLE).
/// `None` marks an error that no GET returns.
const STATUSES: [(i64, Option<StatusCode>); 15] = [
    (code::PARSE_ERROR, None),
    (code::INVALID_REQUEST, Some(StatusCode::BAD_REQUEST)),
    (code::METHOD_NOT_FOUND, Some(StatusCode::NOT_FOUND)),
    (code::INVALID_PARAMS, Some(StatusCode::BAD_REQUEST)),
    (
        code::INTERNAL_ERROR,
        Some(StatusCode::INTERNAL_SERVER_ERROR),
    ),
    (code::TIMED_OUT, Some(StatusCode::GATEWAY_TIMEOUT)),
    (code::BUSY, Some(StatusCode::SERVICE_UNAVAILABLE)),
    (code::REQUEST_TOO_LARGE, Some(StatusCode::URI_TOO_LONG)),
    (
        code::RESPONSE_TOO_LARGE,
        Some(StatusCode::INTERNAL_SERVER_ERROR),
    ),
    (code::BATCH_TOO_LARGE, None),
    (
        code::NOT_CALLABLE_WITH_GET,
        Some(StatusCode::METHOD_NOT_ALLOWED),
    ),
    (code::REFUSED, Some(StatusCode::FORBIDDEN)),
    (code::TOO_MANY_REQUESTS, Some(StatusCode::TOO_MANY_REQUESTS)),
    (code::STILL_RUNNING, None),
    (code::KEY_USED_OTHERWISE, None),
];

/// Returns the status for a code: the table's for the protocol's own codes, otherwise the one that
/// the procedure declares, otherwise 500.
fn of_code(code: i64, procedure: Option<&ProcedureDescription>) -> StatusCode {
    let own = STATUSES.iter().find(|(own, _)| *own == code);
    let status = match own {
        Some((_, status)) => *status,
        None => declared(code, procedure),
    };
    status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn declared(code: i64, procedure: Option<&ProcedureDescription>) -> Option<StatusCode> {
    let error = procedure?.errors.iter().find(|error| error.code == code)?;
    StatusCode::from_u16(error.status?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_of_get_cover_the_rows_of_the_table_of_codes() {
        let statuses = STATUSES.iter().map(|(code, _)| *code);
        assert!(statuses.eq(code::TABLE.iter().map(|row| row.code)));
    }
}
