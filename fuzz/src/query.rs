//! Queries: whatever comes by GET is answered as the contract says, and changes nothing.

use crate::body::answer;
use crate::json;
use crate::oracle::{self, Asked, Bytes};
use crate::service::{Setup, run};

thread_local! {
    static SETUPS: Vec<Setup> = Setup::all();
}

/// Answers a query under every configuration. The input is what stands behind the mount in a target,
/// the procedure's name decoded: `procedure?query`. What is no text cannot come so far.
///
/// # Panics
/// Where an answer is not what it has to be.
pub fn query(input: &[u8]) {
    let Ok(target) = std::str::from_utf8(input) else {
        return;
    };
    let (procedure, query) = target.split_once('?').unwrap_or((target, ""));
    let asked = Asked { procedure, query };
    SETUPS.with(|setups| {
        for setup in setups.iter().filter(|setup| setup.only.is_none()) {
            if let Err(wrong) = answered(setup, asked) {
                panic!("{}: {wrong}\nasked: {asked:?}", setup.name);
            }
        }
    });
}

fn answered(setup: &Setup, asked: Asked<'_>) -> Result<(), String> {
    let reply = run(setup.service.query(asked.procedure, asked.query, None));
    let output = reply.body();
    let failed = |wrong| format!("{wrong}\nanswered: {}", Bytes(output));
    oracle::check_query(setup, asked, output).map_err(failed)?;
    if setup.take_runs() > 0 {
        return Err("GET has changed something".to_owned());
    }
    is_what_post_answers(setup, asked, output).map_err(failed)
}

/// What is answered by GET has been taken for parameters. The same parameters sent by POST are
/// answered with the same: GET takes nothing that the procedure does not.
fn is_what_post_answers(
    setup: &Setup,
    asked: Asked<'_>,
    output: Option<&[u8]>,
) -> Result<(), String> {
    let answer = output.and_then(|output| json::check(output).ok());
    let result = |answer| json::members(answer)?.get("result");
    let Some(by_get) = answer.and_then(result) else {
        return Ok(());
    };
    let Some(body) = oracle::repeated(asked, by_get) else {
        return Ok(());
    };
    if body.len() > setup.body {
        return Ok(());
    }
    let answered = self::answer(setup, body.as_bytes());
    let answered = answered.as_deref();
    oracle::check(setup, body.as_bytes(), answered)
        .and_then(|()| {
            let answer = answered.and_then(|answered| json::check(answered).ok());
            match answer.and_then(result) {
                Some(by_post) if by_post.get() == by_get.get() => Ok(()),
                other => Err(format!("{by_get} by GET, {other:?} by POST")),
            }
        })
        .map_err(|wrong| format!("{wrong}\nposted: {body}"))
}
