//! Checks responses as HTTP: status, header fields, order and number.
//!
//! Bodies are checked by the fuzzer's oracle. What is here is only how they arrive.

use docent_fuzz::oracle;

use super::{Breach, LIBRARY_SUBJECT, Outcome, Version, code, read};
use crate::http::Response;

/// Checks the response to a POST and returns the outcomes of its calls in order. Notifications have
/// no outcome.
pub(crate) fn posted(response: &Response, request: &[u8]) -> Result<Vec<Outcome>, Breach> {
    let output = (response.status != 204).then_some(&*response.body);
    let found = oracle::checked_outcomes(&LIBRARY_SUBJECT, request, output).map_err(Breach::new)?;
    let outcomes: Vec<Outcome> = found
        .into_iter()
        .map(TryInto::try_into)
        .collect::<Result<_, _>>()?;
    if output.is_none() {
        return Ok(outcomes);
    }
    body(response)?;
    no_store(response)?;
    match &*outcomes {
        _ if request.starts_with(b"[") => expect_status(response, 200)?,
        [Outcome::Error(code::REFUSED)] => {
            expect_status(response, 401)?;
            challenges(response)?;
        }
        [Outcome::Error(_)] if is_1_1(response) => expect_status(response, 500)?,
        _ => expect_status(response, 200)?,
    }
    Ok(outcomes)
}

/// Returns whether the body is a 1.1 response. It does not parse the body, whose id may be a number
/// that `serde_json::Value` cannot hold.
fn is_1_1(response: &Response) -> bool {
    response.body.starts_with(br#"{"version""#)
}

/// Checks whether the response is marked as the replayed outcome of an earlier call.
pub(crate) fn replayed(response: &Response, expected: bool) -> Result<(), Breach> {
    let found = response.only("idempotent-replayed");
    if found == expected.then_some("true") {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "idempotent-replayed is {found:?}, but whether it was replayed is {expected}"
        )))
    }
}

/// Checks the response to a request that gets no result.
pub(crate) fn no_answer(response: &Response) -> Result<(), Breach> {
    expect_status(response, 204)
}

/// Checks the response to a request that never became a call, or to an invalid call.
pub(crate) fn is_error(
    response: &Response,
    status: u16,
    code: i64,
    id: &str,
) -> Result<(), Breach> {
    expect_status(response, status)?;
    no_store(response)?;
    let outcome = read(Version::V2_0, id, body(response)?)?;
    is(&outcome, &Outcome::Error(code))?;
    let needed: &[&str] = match status {
        401 => return challenges(response),
        405 => &["allow"],
        415 => &["accept-post", "accept-encoding"],
        503 => &["retry-after"],
        _ => return Ok(()),
    };
    if needed.iter().all(|name| response.only(name).is_none()) {
        return Err(Breach::new(format_args!("{status} without {needed:?}")));
    }
    Ok(())
}

/// Checks the response of a service that is overloaded or shutting down.
pub(crate) fn busy(response: &Response) -> Result<(), Breach> {
    is_error(response, 503, code::BUSY, "null")
}

/// Checks that no call ran: HTTP itself or the service rejected the request.
pub(crate) fn not_done(response: &Response) -> Result<(), Breach> {
    if (400..=599).contains(&response.status) {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "not rejected: status {}",
            response.status
        )))
    }
}

/// Checks that the response has no result.
pub(crate) fn no_result(response: &Response) -> Result<(), Breach> {
    let body = String::from_utf8_lossy(&response.body);
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

pub(super) fn expect_status(response: &Response, status: u16) -> Result<(), Breach> {
    if response.status == status {
        return Ok(());
    }
    let found = response.status;
    Err(Breach::new(format_args!(
        "status {found} instead of {status}"
    )))
}

pub(super) fn expect(response: &Response, name: &str, value: &str) -> Result<(), Breach> {
    if response.only(name) == Some(value) {
        return Ok(());
    }
    let found = response.only(name);
    Err(Breach::new(format_args!(
        "{name} is {found:?} instead of {value:?}"
    )))
}

pub(super) fn body(response: &Response) -> Result<&[u8], Breach> {
    expect(response, "content-type", "application/json")?;
    expect(response, "x-content-type-options", "nosniff")?;
    Ok(&response.body)
}

pub(super) fn no_store(response: &Response) -> Result<(), Breach> {
    expect(response, "cache-control", "no-store")
}

fn challenges(response: &Response) -> Result<(), Breach> {
    let challenge = response.only("www-authenticate").unwrap_or_default();
    if challenge.starts_with("Bearer ") {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "401 with challenge {challenge:?}"
        )))
    }
}
