//! The HTTP statuses of error codes.

use docent_core::{Denial, Protocol, Reply, code};
use docent_describe::ProcedureDescription;

use super::response::Status;

/// Returns the status of a response to POST. 2.0 and 1.0 report errors in the body only; 1.1
/// (section 7.1) has a status for them.
pub(super) fn of_post(reply: &Reply) -> Status {
    if let Some(denial) = reply.denial() {
        return of_denial(denial);
    }
    match (reply.protocol(), reply.error_code()) {
        (Protocol::V1_1, Some(_)) => Status::INTERNAL_SERVER_ERROR,
        _ => Status::OK,
    }
}

/// Returns the status of a response to GET.
pub(super) fn of_get(reply: &Reply) -> Status {
    if let Some(denial) = reply.denial() {
        return of_denial(denial);
    }
    match (reply.error_code(), reply.protocol()) {
        (None, _) => Status::OK,
        (Some(code::METHOD_NOT_FOUND), Protocol::V1_1) => Status::NOT_FOUND,
        (Some(code::NOT_CALLABLE_WITH_GET), Protocol::V1_1) => Status::METHOD_NOT_ALLOWED,
        (Some(_), Protocol::V1_1) => Status::INTERNAL_SERVER_ERROR,
        (Some(code), _) => of_code(code, reply.procedure()),
    }
}

/// Returns the status of a response to a message of the Model Context Protocol.
#[cfg(feature = "mcp")]
pub(super) fn of_mcp(reply: &docent_core::McpReply) -> Status {
    use docent_core::McpStatus;
    if let Some(denial) = reply.reply.denial() {
        return of_denial(denial);
    }
    match reply.status {
        McpStatus::Accepted => Status::ACCEPTED,
        McpStatus::Malformed => Status::BAD_REQUEST,
        McpStatus::UnknownMethod => Status::NOT_FOUND,
        _ => Status::OK,
    }
}

/// Returns 401 if the caller can authenticate, and 403 otherwise.
fn of_denial(denial: &Denial) -> Status {
    match denial.challenge {
        Some(_) => Status::UNAUTHORIZED,
        None => Status::FORBIDDEN,
    }
}

/// The statuses of GET for the protocol's own codes: HTTP's column of [the table](code::TABLE).
/// `None` marks an error that no GET returns.
const STATUSES: [(i64, Option<Status>); 15] = [
    (code::PARSE_ERROR, None),
    (code::INVALID_REQUEST, Some(Status::BAD_REQUEST)),
    (code::METHOD_NOT_FOUND, Some(Status::NOT_FOUND)),
    (code::INVALID_PARAMS, Some(Status::BAD_REQUEST)),
    (code::INTERNAL_ERROR, Some(Status::INTERNAL_SERVER_ERROR)),
    (code::TIMED_OUT, Some(Status::GATEWAY_TIMEOUT)),
    (code::BUSY, Some(Status::SERVICE_UNAVAILABLE)),
    (code::REQUEST_TOO_LARGE, Some(Status::URI_TOO_LONG)),
    (
        code::RESPONSE_TOO_LARGE,
        Some(Status::INTERNAL_SERVER_ERROR),
    ),
    (code::BATCH_TOO_LARGE, None),
    (
        code::NOT_CALLABLE_WITH_GET,
        Some(Status::METHOD_NOT_ALLOWED),
    ),
    (code::REFUSED, Some(Status::FORBIDDEN)),
    (code::TOO_MANY_REQUESTS, Some(Status::TOO_MANY_REQUESTS)),
    (code::STILL_RUNNING, None),
    (code::KEY_USED_OTHERWISE, None),
];

/// Returns the status for a code: the table's for the protocol's own codes, otherwise the one that
/// the procedure declares, otherwise 500.
fn of_code(code: i64, procedure: Option<&ProcedureDescription>) -> Status {
    let own = STATUSES.iter().find(|(own, _)| *own == code);
    let status = match own {
        Some((_, status)) => *status,
        None => declared(code, procedure),
    };
    status.unwrap_or(Status::INTERNAL_SERVER_ERROR)
}

fn declared(code: i64, procedure: Option<&ProcedureDescription>) -> Option<Status> {
    let error = procedure?.errors.iter().find(|error| error.code == code)?;
    Status::new(error.status?)
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
