//! Checks responses as HTTP: status, header fields, order and number.
//!
//! Bodies are checked by the fuzzer's oracle. What is here is only how they arrive.

use docent_fuzz::oracle;

use super::{Breach, LIBRARY_SUBJECT, Outcome, Version, code, read};
use crate::http::Answer;

/// Checks the response to a POST and returns the outcomes of its calls in order. Notifications have
/// no outcome.
pub(crate) fn posted(answer: &Answer, request: &[u8]) -> Result<Vec<Outcome>, Breach> {
    let output = (answer.status != 204).then_some(&*answer.body);
    let found = oracle::checked_outcomes(&LIBRARY_SUBJECT, request, output).map_err(Breach::new)?;
    let outcomes: Vec<Outcome> = found
        .into_iter()
        .map(TryInto::try_into)
        .collect::<Result<_, _>>()?;
    if output.is_none() {
        return Ok(outcomes);
    }
    body(answer)?;
    no_store(answer)?;
    match &*outcomes {
        _ if request.starts_with(b"[") => expect_status(answer, 200)?,
        [Outcome::Error(code::REFUSED)] => {
            expect_status(answer, 401)?;
            challenges(answer)?;
        }
        [Outcome::Error(_)] if is_1_1(answer) => expect_status(answer, 500)?,
        _ => expect_status(answer, 200)?,
    }
    Ok(outcomes)
}

/// Returns whether the body is a 1.1 response. It does not parse the body, whose id may be a number
/// that `serde_json::Value` cannot hold.
fn is_1_1(answer: &Answer) -> bool {
    answer.body.starts_with(br#"{"version""#)
}

/// Checks whether the response is marked as the replayed outcome of an earlier call.
pub(crate) fn replayed(answer: &Answer, expected: bool) -> Result<(), Breach> {
    let found = answer.only("idempotent-replayed");
    if found == expected.then_some("true") {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "idempotent-replayed is {found:?}, but whether it was replayed is {expected}"
        )))
    }
}

/// Checks the response to a request that gets no result.
pub(crate) fn no_answer(answer: &Answer) -> Result<(), Breach> {
    expect_status(answer, 204)
}

/// Checks the response to a request that never became a call, or to an invalid call.
pub(crate) fn is_error(answer: &Answer, status: u16, code: i64, id: &str) -> Result<(), Breach> {
    expect_status(answer, status)?;
    no_store(answer)?;
    let outcome = read(Version::V2_0, id, body(answer)?)?;
    is(&outcome, &Outcome::Error(code))?;
    let needed: &[&str] = match status {
        401 => return challenges(answer),
        405 => &["allow"],
        415 => &["accept-post", "accept-encoding"],
        503 => &["retry-after"],
        _ => return Ok(()),
    };
    if needed.iter().all(|name| answer.only(name).is_none()) {
        return Err(Breach::new(format_args!("{status} without {needed:?}")));
    }
    Ok(())
}

/// Checks the response of a service that is overloaded or shutting down.
pub(crate) fn busy(answer: &Answer) -> Result<(), Breach> {
    is_error(answer, 503, code::BUSY, "null")
}

/// Checks that no call ran: HTTP itself or the service rejected the request.
pub(crate) fn not_done(answer: &Answer) -> Result<(), Breach> {
    if (400..=599).contains(&answer.status) {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "not rejected: status {}",
            answer.status
        )))
    }
}

/// Checks that the response has no result.
pub(crate) fn no_result(answer: &Answer) -> Result<(), Breach> {
    let body = String::from_utf8_lossy(&answer.body);
    if body.contains("\"result\"") {
        Err(Breach::new("a result"))
    } else {
        Ok(())
    }
}

/// Checks that a call has the expected outcome.
pub(crate) fn is(found: &Outcome, expected: &Outcome) -> Result<(), Breach> {
    if found == expected {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "{found:?} instead of {expected:?}"
        )))
    }
}

pub(super) fn expect_status(answer: &Answer, status: u16) -> Result<(), Breach> {
    if answer.status == status {
        return Ok(());
    }
    let found = answer.status;
    Err(Breach::new(format_args!(
        "status {found} instead of {status}"
    )))
}

pub(super) fn expect(answer: &Answer, name: &str, value: &str) -> Result<(), Breach> {
    if answer.only(name) == Some(value) {
        return Ok(());
    }
    let found = answer.only(name);
    Err(Breach::new(format_args!(
        "{name} is {found:?} instead of {value:?}"
    )))
}

pub(super) fn body(answer: &Answer) -> Result<&[u8], Breach> {
    expect(answer, "content-type", "application/json")?;
    expect(answer, "x-content-type-options", "nosniff")?;
    Ok(&answer.body)
}

pub(super) fn no_store(answer: &Answer) -> Result<(), Breach> {
    expect(answer, "cache-control", "no-store")
}

fn challenges(answer: &Answer) -> Result<(), Breach> {
    let challenge = answer.only("www-authenticate").unwrap_or_default();
    if challenge.starts_with("Bearer ") {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "401 with challenge {challenge:?}"
        )))
    }
}
