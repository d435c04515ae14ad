//! The oracle: predicts the response to an input without Docent's own code, and compares.
//!
//! In come the contract of a service, a body and the response to it; out comes the rule that the response breaks:
//!
//! ```text
//! body ── request ──► ExpectedResponse { version, id, outcome, … } ──┐
//!             outcome, value: each procedure, and its parameters     ├── response, error ──► Ok, or what is wrong
//! response ──────────────────────────────────────────────────────────┘
//! ```
//!
//! It reads a body with `serde_json` and parameters by way of `serde_json::Value`, and it repeats the constraints by
//! hand. It uses nothing of Docent's wire, binding or checks: an oracle that shared code with the service would share
//! its mistakes. Where `serde_json` cannot give a second opinion, the outcome is `Undecided` and the oracle checks less:
//! that the response is a well-formed result, or a well-formed error with a code that is possible there. The names that
//! `serde_json` keeps for itself are read without it. GET has an oracle of its own ([`check_query`]).

pub mod code;
mod contract;
mod error;
mod number;
mod outcome;
mod query;
mod request;
mod response;
mod similar;
mod value;
mod version;

use crate::json;
pub(crate) use contract::Calls;
pub use contract::ServiceContract;
use outcome::Outcome;
pub use query::{Query, check_query};
pub(crate) use query::{repeated, version_of};
use request::Body;
pub use response::{Bytes, ResponseContent};
pub use version::Version;

/// Checks a service's response to a body, byte for byte wherever the contract is that specific.
///
/// # Errors
/// Describes what is wrong with the response.
pub fn check(
    contract: &ServiceContract,
    input: &[u8],
    output: Option<&[u8]>,
) -> Result<(), String> {
    checked_outcomes(contract, input, output).map(drop)
}

/// Checks a service's response to a body and returns, in order, the outcome of each call that has a
/// response.
///
/// # Errors
/// Describes what is wrong with the response.
pub fn checked_outcomes<'a>(
    contract: &ServiceContract,
    input: &[u8],
    output: Option<&'a [u8]>,
) -> Result<Vec<ResponseContent<'a>>, String> {
    match Body::read(contract, input) {
        Body::One(one) if one.is_unanswered => expect_no_response(output),
        Body::One(one) => Ok(vec![response::check_one(
            contract,
            &one,
            response_json(output)?,
        )?]),
        Body::Batch(entries) => {
            let answered: Vec<_> = entries
                .iter()
                .filter(|entry| !entry.is_unanswered)
                .collect();
            if answered.is_empty() {
                return expect_no_response(output);
            }
            let response = response_json(output)?;
            let responses = json::elements(response).ok_or("the answer to a batch is no array")?;
            if responses.len() != answered.len() {
                return Err(format!(
                    "{} responses to {} calls",
                    responses.len(),
                    answered.len()
                ));
            }
            response::check_batch(contract, &answered, &responses)
        }
    }
}

/// Reads a response to a request that the oracle has not seen. It checks the envelope, the `id` and
/// the error.
///
/// # Errors
/// Describes what is wrong with the response.
pub fn read<'a>(
    contract: &ServiceContract,
    version: Version,
    id: Option<&str>,
    output: &'a [u8],
) -> Result<ResponseContent<'a>, String> {
    response::envelope(contract, version, id, response_json(Some(output))?)
}

/// Checks how often a body ran the procedure that counts its runs.
///
/// # Errors
/// If the procedure ran more or less often than it was called.
pub fn check_runs(contract: &ServiceContract, input: &[u8], runs: usize) -> Result<(), String> {
    let body = Body::read(contract, input);
    let mut certain = 0;
    let mut possible = 0;
    for message in body.messages().iter().filter(|message| message.runs_count) {
        match message.outcome {
            Outcome::Result(_) => certain += 1,
            Outcome::Undecided(_) => possible += 1,
            _ => {}
        }
    }
    let max = certain + possible;
    if (certain..=max).contains(&runs) {
        Ok(())
    } else {
        Err(format!("{runs} runs, expected {certain} to {max}"))
    }
}

fn expect_no_response<T>(output: Option<&[u8]>) -> Result<Vec<T>, String> {
    match output {
        None => Ok(Vec::new()),
        Some(_) => Err("an answer where none is wanted".to_owned()),
    }
}

fn response_json(output: Option<&[u8]>) -> Result<&serde_json::value::RawValue, String> {
    let output = output.ok_or("no answer")?;
    let response =
        json::check(output).map_err(|error| format!("the response is not JSON: {error}"))?;
    if response.get().len() == output.len() {
        Ok(response)
    } else {
        Err("white space around the answer".to_owned())
    }
}
