//! The oracle: what the contract makes of an input, found by other means than Docent's own, and
//! whether an answer is that.
//!
//! A body is read by `serde_json`, its parameters by way of `serde_json::Value`; constraints are
//! written once more by hand. Nothing of Docent's wire, binding or checks is used. Where that
//! second opinion is missing, an outcome is `Unjudged`, and the weaker property is checked: a
//! sound result, or a sound error of a code that is possible there.

mod answer;
mod error;
mod number;
mod outcome;
mod query;
mod request;
mod similar;
mod value;

use crate::json;
use crate::service::Setup;
pub use answer::Bytes;
use answer::Room;
use outcome::Outcome;
pub use query::{Asked, check_query};
pub(crate) use query::{repeated, version_of};
use request::Body;
pub(crate) use request::Version;

/// Checks what a service answered to a body, to the byte wherever the contract says that much.
///
/// # Errors
/// What is wrong with the answer.
pub fn check(setup: &Setup, input: &[u8], output: Option<&[u8]>) -> Result<(), String> {
    let room = Room::new(setup);
    match Body::read(setup, input) {
        Body::One(one) if one.silent => silence(output),
        Body::One(one) => room.check_one(&one, spoken(output)?),
        Body::Batch(entries) => {
            let loud: Vec<_> = entries.iter().filter(|entry| !entry.silent).collect();
            if loud.is_empty() {
                return silence(output);
            }
            let answer = spoken(output)?;
            let answers = json::elements(answer).ok_or("the answer to a batch is no array")?;
            if answers.len() != loud.len() {
                let (found, expected) = (answers.len(), loud.len());
                return Err(format!(
                    "{found} answers to {expected} requests that want one"
                ));
            }
            room.check_batch(&loud, &answers)
        }
    }
}

/// Checks how often the procedure that counts its runs has run for a body.
///
/// # Errors
/// Where it was more or less often than it was called.
pub fn check_runs(setup: &Setup, input: &[u8], runs: usize) -> Result<(), String> {
    let body = Body::read(setup, input);
    let calls = || body.messages().iter().filter(|message| message.counts);
    let ran = |outcome: &Outcome| matches!(outcome, Outcome::Result(_));
    let may_run = |outcome: &Outcome| ran(outcome) || matches!(outcome, Outcome::Unjudged(_));
    let least = calls().filter(|call| ran(&call.outcome)).count();
    let most = calls().filter(|call| may_run(&call.outcome)).count();
    if (least..=most).contains(&runs) {
        Ok(())
    } else {
        Err(format!(
            "{runs} runs, and between {least} and {most} were asked for"
        ))
    }
}

fn silence(output: Option<&[u8]>) -> Result<(), String> {
    match output {
        None => Ok(()),
        Some(_) => Err("an answer where none is wanted".to_owned()),
    }
}

fn spoken(output: Option<&[u8]>) -> Result<&serde_json::value::RawValue, String> {
    let output = output.ok_or("no answer")?;
    let answer = json::check(output).map_err(|error| format!("the answer is no JSON: {error}"))?;
    if answer.get().len() == output.len() {
        Ok(answer)
    } else {
        Err("white space around the answer".to_owned())
    }
}
