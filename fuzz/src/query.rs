//! Checks that the response to any GET follows the contract, and that GET changes nothing.
//!
//! A second check holds GET to POST: with the parameters that GET has bound, POST returns the same result.

use serde_json::value::RawValue;

use crate::body::response;
use crate::json;
use crate::oracle::{self, Bytes, Query};
use crate::service::{Setup, run};

thread_local! {
    static ALL_SETUPS: Vec<Setup> = Setup::all();
}

/// Sends a query to the service in every configuration and checks the responses. The input is the
/// part of the target after the mount, with the procedure's name decoded: `procedure?query`. An
/// input that is not UTF-8 never reaches a service.
///
/// # Panics
/// If a response violates the contract.
pub fn query(input: &[u8]) {
    let Ok(target) = std::str::from_utf8(input) else {
        return;
    };
    let (procedure, query) = target.split_once('?').unwrap_or((target, ""));
    let asked = Query { procedure, query };
    ALL_SETUPS.with(|setups| {
        for setup in setups.iter().filter(|setup| setup.only_procedure.is_none()) {
            if let Err(wrong) = answered(setup, asked) {
                panic!("{}: {wrong}\nrequest: {asked:?}", setup.name);
            }
        }
    });
}

fn answered(setup: &Setup, asked: Query<'_>) -> Result<(), String> {
    let reply = run(setup.service.query(asked.procedure, asked.query, None));
    let body = reply.body();
    let output = body.as_deref();
    oracle::check_query(setup, asked, output)
        .and_then(|()| {
            if setup.take_runs() > 0 {
                return Err("GET has changed something".to_owned());
            }
            is_what_post_answers(setup, asked, output)
        })
        .map_err(|wrong| format!("{wrong}\nanswered: {}", Bytes(output)))
}

/// Checks that POST with the parameters that GET has bound returns the same result: GET accepts no
/// parameters that the procedure does not accept.
fn is_what_post_answers(
    setup: &Setup,
    asked: Query<'_>,
    output: Option<&[u8]>,
) -> Result<(), String> {
    let Some(by_get) = output.and_then(result) else {
        return Ok(());
    };
    let Some(body) = oracle::repeated(asked, by_get) else {
        return Ok(());
    };
    if body.len() > setup.max_body_bytes {
        return Ok(());
    }
    let response = response(setup, body.as_bytes());
    oracle::check(setup, body.as_bytes(), response.as_deref())
        .and_then(|()| match response.as_deref().and_then(result) {
            Some(by_post) if by_post.get() == by_get.get() => Ok(()),
            other => Err(format!("GET returned {by_get}, POST {other:?}")),
        })
        .map_err(|wrong| format!("{wrong}\nposted: {body}"))
}

/// Returns the result of a response, if it has one.
fn result(response: &[u8]) -> Option<&RawValue> {
    json::members(json::check(response).ok()?)?.get("result")
}
