//! The HTTP statuses that stand for error codes.

use actix_web::http::StatusCode;
use docent_core::{Denial, Protocol, Reply, code};
use docent_describe::ProcedureDescription;

/// The status with which POST answers: 2.0 and 1.0 say everything in the body, 1.1 (section 7.1)
/// has a status for errors.
pub(super) fn of_post(reply: &Reply) -> StatusCode {
    if let Some(denial) = reply.denial() {
        return of_denial(denial);
    }
    match (reply.protocol(), reply.error_code()) {
        (Protocol::V1_1, Some(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::OK,
    }
}

/// The status with which GET answers.
pub(super) fn of_get(reply: &Reply) -> StatusCode {
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

/// Whoever can prove who they are is asked to; anybody else is sent away.
fn of_denial(denial: &Denial) -> StatusCode {
    match denial.challenge {
        Some(_) => StatusCode::UNAUTHORIZED,
        None => StatusCode::FORBIDDEN,
    }
}

/// The statuses of GET for the codes of the protocol's own: HTTP's column of
/// [the table](code::TABLE). None for an error that no GET ends with.
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

/// The status that stands for a code: the table's for the protocol's own codes, otherwise what the
/// procedure declares, otherwise 500.
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
