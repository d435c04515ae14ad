//! Checks responses against the contract.
//!
//! A response goes in, and an [`Outcome`] or a [`Breach`] comes out. The fuzzer's oracle, which shares no code with the
//! service, checks envelopes, ids, codes and messages. This module adds what HTTP requires (`transport.rs`, `get.rs`),
//! and which errors the library may return: a table that repeats its declarations, since a table that was read from its
//! description would allow whatever it describes.
//!
//! The outcome that a call must have is up to [`call`](super::call).

mod get;
#[cfg(test)]
mod tests;
mod transport;

use std::fmt;
use std::sync::LazyLock;

use docent_fuzz::oracle::{self, ResponseContent, ServiceContract};
pub(crate) use docent_fuzz::oracle::{Version, code};
use serde_json::Value;

pub(crate) use get::{CachedResponse, GetCircumstances, get, get_error};
pub(crate) use transport::{busy, is, is_error, no_answer, no_result, not_done, posted, replayed};

/// A violation of the contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Breach(String);

impl Breach {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Breach {}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// The call returned a result.
    Result(Value),
    /// The call failed with this code, which is the 2.0 code even in a 1.1 response.
    Error(i64),
}

impl Outcome {
    /// Returns whether a call with a key is to be repeated, because its outcome is not known yet.
    pub(crate) fn is_pending(&self) -> bool {
        let pending = [code::TIMED_OUT, code::BUSY, code::STILL_RUNNING, 1503];
        matches!(self, Self::Error(code) if pending.contains(code))
    }

    /// Returns whether every repetition of a call with a key must end like this. The error for a book
    /// that is lent is not final, since the book may come back.
    pub(crate) fn is_kept(&self) -> bool {
        match self {
            Self::Result(_) => true,
            Self::Error(code) => (1404..=1423).contains(code) && ![1409, 1411].contains(code),
        }
    }
}

impl TryFrom<ResponseContent<'_>> for Outcome {
    type Error = Breach;

    fn try_from(found: ResponseContent<'_>) -> Result<Self, Breach> {
        Ok(match found {
            ResponseContent::Result(result) => {
                Self::Result(serde_json::from_str(result.get()).map_err(Breach::new)?)
            }
            ResponseContent::Error { code, .. } => Self::Error(code),
        })
    }
}

const LIBRARY_PROCEDURES: &[&str] = &[
    "author.get",
    "author.list",
    "book.add",
    "book.find",
    "book.get",
    "loan.end",
    "loan.list",
    "loan.start",
    "member.add",
    "member.get",
    "stats",
];

const DECLARED_ERRORS: &[(i64, &str)] = &[
    (1404, "No such book"),
    (1405, "No such author"),
    (1406, "No such member"),
    (1407, "No such loan"),
    (1409, "Already lent"),
    (1410, "Duplicate book"),
    (1411, "Too many loans"),
    (1412, "Already returned"),
    (1422, "Due date out of range"),
    (1423, "Impossible life"),
    (1503, "Database busy"),
];

/// The errors of the protocol that the library may return besides its own. Codes for faults inside the
/// service are not among them, because the library must not have any.
const POSSIBLE_ERRORS: &[i64] = &[
    code::INVALID_PARAMS,
    code::TIMED_OUT,
    code::BUSY,
    code::REFUSED,
    code::STILL_RUNNING,
];

/// The library as the oracle sees it.
static LIBRARY_SUBJECT: LazyLock<ServiceContract> =
    LazyLock::new(|| ServiceContract::new(LIBRARY_PROCEDURES, DECLARED_ERRORS, POSSIBLE_ERRORS));

/// Returns the status that GET uses for an error code.
fn status(code: i64) -> Result<u16, Breach> {
    Ok(match code {
        code::INVALID_REQUEST | code::INVALID_PARAMS => 400,
        code::REFUSED => 401,
        code::METHOD_NOT_FOUND | 1404..=1407 => 404,
        code::NOT_CALLABLE_WITH_GET => 405,
        1409..=1412 => 409,
        1422..=1423 => 422,
        code::BUSY | 1503 => 503,
        code::TIMED_OUT => 504,
        _ => return Err(Breach::new(format_args!("GET may not return {code}"))),
    })
}

/// Reads a response that must carry this id.
fn read(version: Version, id: &str, output: &[u8]) -> Result<Outcome, Breach> {
    let found = oracle::read(&LIBRARY_SUBJECT, version, Some(id), output).map_err(Breach::new)?;
    found.try_into()
}
