//! The HTTP statuses that stand for error codes.

use actix_web::http::StatusCode;
use docent_core::code;
use docent_describe::ProcedureDescription;

/// The status with which GET answers an error: the contract's for the protocol's own codes,
/// otherwise what the procedure declares, otherwise 500.
pub(super) fn of_get(code: i64, procedure: Option<&ProcedureDescription>) -> StatusCode {
    match code {
        code::INVALID_REQUEST | code::INVALID_PARAMS => StatusCode::BAD_REQUEST,
        code::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        code::TIMED_OUT => StatusCode::GATEWAY_TIMEOUT,
        code::BUSY => StatusCode::SERVICE_UNAVAILABLE,
        code::REQUEST_TOO_LARGE => StatusCode::URI_TOO_LONG,
        code::NOT_CALLABLE_WITH_GET => StatusCode::METHOD_NOT_ALLOWED,
        code::REFUSED => StatusCode::FORBIDDEN,
        _ => declared(code, procedure).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn declared(code: i64, procedure: Option<&ProcedureDescription>) -> Option<StatusCode> {
    let error = procedure?.errors.iter().find(|error| error.code == code)?;
    StatusCode::from_u16(error.status?).ok()
}
