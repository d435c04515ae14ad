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
mod subject;
mod value;

use crate::json;
use answer::Room;
pub use answer::{Bytes, Found};
use outcome::Outcome;
pub use query::{Asked, check_query};
pub(crate) use query::{repeated, version_of};
use request::Body;
use request::Expected;
pub use request::Version;
pub(crate) use subject::Calls;
pub use subject::Subject;

/// Checks what a service answered to a body, to the byte wherever the contract says that much.
///
/// # Errors
/// What is wrong with the answer.
pub fn check(subject: &Subject, input: &[u8], output: Option<&[u8]>) -> Result<(), String> {
    judge(subject, input, output).map(drop)
}

/// Checks what a service answered to a body, and gives what each call came to that has an answer, in
/// the order of the calls.
///
/// # Errors
/// What is wrong with the answer.
pub fn judge<'a>(
    subject: &Subject,
    input: &[u8],
    output: Option<&'a [u8]>,
) -> Result<Vec<Found<'a>>, String> {
    let room = Room::new(subject);
    match Body::read(subject, input) {
        Body::One(one) if one.silent => silence(output),
        Body::One(one) => Ok(vec![room.check_one(&one, spoken(output)?)?]),
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

/// Reads an answer to something that the oracle has not seen: its frame, its `id` and its error are
/// checked.
///
/// # Errors
/// What is wrong with the answer.
pub fn read<'a>(
    subject: &Subject,
    version: Version,
    id: Option<&str>,
    output: &'a [u8],
) -> Result<Found<'a>, String> {
    let expected = Expected {
        version,
        ..Expected::error(id, outcome::INTERNAL_ERROR)
    };
    Room::new(subject).read(&expected, spoken(Some(output))?)
}

/// Checks how often the procedure that counts its runs has run for a body.
///
/// # Errors
/// Where it was more or less often than it was called.
pub fn check_runs(subject: &Subject, input: &[u8], runs: usize) -> Result<(), String> {
    let body = Body::read(subject, input);
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

fn silence<T>(output: Option<&[u8]>) -> Result<Vec<T>, String> {
    match output {
        None => Ok(Vec::new()),
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
