//! What an answer has to be: the contract of the guide once more, from the caller's side and without
//! any code of the service.

mod envelope;
mod get;
mod json;
mod transport;

use std::fmt;

pub(crate) use envelope::{Outcome, Version};
pub(crate) use get::{Asked, Known, get, get_error};
pub(crate) use transport::{batch, busy, is, no_answer, not_done, refused, single};

/// How an answer broke the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach(String);

impl Breach {
    fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Breach {}

/// Codes of the protocol.
pub(crate) mod code {
    pub(crate) const PARSE_ERROR: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const TIMED_OUT: i64 = -32001;
    pub(crate) const BUSY: i64 = -32002;
    pub(crate) const REQUEST_TOO_LARGE: i64 = -32003;
    pub(crate) const BATCH_TOO_LARGE: i64 = -32005;
    pub(crate) const NOT_CALLABLE_WITH_GET: i64 = -32006;
    pub(crate) const REFUSED: i64 = -32007;
}

/// A row of the table of codes: the code, its message, the status of GET, the code in 1.1.
type Row = (i64, &'static str, u16, i64);

/// What the contract and the library have; a code that is not here may not be answered. The codes
/// of faults inside the service are left out: the library has no excuse for one.
const CODES: &[Row] = &[
    (code::PARSE_ERROR, "Parse error", 0, 0),
    (code::INVALID_REQUEST, "Invalid Request", 400, 422),
    (code::METHOD_NOT_FOUND, "Method not found", 404, 404),
    (code::INVALID_PARAMS, "Invalid params", 400, 406),
    (code::TIMED_OUT, "Timed out", 504, 504),
    (code::BUSY, "Busy", 503, 503),
    (code::REQUEST_TOO_LARGE, "Request too large", 414, 0),
    (code::BATCH_TOO_LARGE, "Batch too large", 0, 0),
    (
        code::NOT_CALLABLE_WITH_GET,
        "Not callable with GET",
        405,
        405,
    ),
    (code::REFUSED, "Refused", 401, 403),
    (1404, "No such book", 404, 500),
    (1405, "No such author", 404, 500),
    (1406, "No such member", 404, 500),
    (1407, "No such loan", 404, 500),
    (1409, "Already lent", 409, 500),
    (1410, "Duplicate book", 409, 500),
    (1411, "Too many loans", 409, 500),
    (1412, "Already returned", 409, 500),
    (1413, "Request id reused", 409, 500),
    (1422, "Due date out of range", 422, 500),
    (1423, "Impossible life", 422, 500),
    (1503, "Database busy", 503, 500),
];

fn row(code: i64) -> Result<&'static Row, Breach> {
    let known = CODES.iter().find(|(known, ..)| *known == code);
    known.ok_or_else(|| Breach::new(format_args!("nobody may answer with the code {code}")))
}
