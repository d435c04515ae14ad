//! Explains why the parameters of a call are refused. Everything here runs only after a refusal.
//!
//! All problems are reported at once: first those with names and with the number of values, then the
//! violations of each parameter's schema, in the order of the description. serde's own error is
//! reported if the schema of its parameter has no violation: a type may be stricter than its schema.

use docent_describe::json::{Cursor, PRIVATE_PREFIX, Pointer, find_private_name};

use super::de::{DecodeError, DecodeProblem};
use super::error::BindError;
use super::locate::pointer_to;
use super::names::Given;
use super::plan::Plan;
use super::problems::{MOST, Problems};
use super::refusal::{given_twice, missing};

/// Explains why the parameters in the container `text` are refused: for `problems` that are known
/// already, and for the error that ended decoding, if there is one.
#[cold]
pub(super) fn explain(
    plan: &Plan,
    text: &str,
    mut problems: Problems,
    error: Option<&DecodeError>,
) -> BindError {
    let given = Given::read(plan, text, &mut problems);
    let error = error.filter(|error| !error.is_refusal());
    let failed = error.and_then(|error| given.at(error.offset()?));
    for (index, (parameter, value)) in plan.parameters.iter().zip(&given.values).enumerate() {
        let Some(value) = *value else { continue };
        let mut push = |pointer: Pointer, reason: String| {
            let problem = BindError::new(reason).of(&*parameter.name).inside(&pointer);
            problems.push(if given.by_position {
                problem.at_position(index)
            } else {
                problem
            });
        };
        if let Some(offset) = offset_of_private_name(value) {
            push(pointer_to(value, offset), private_name());
        }
        let check = parameter.check.check.as_ref();
        let violations = check.map_or_else(Vec::new, |check| check.violations(value, MOST));
        // No schema can forbid repeated members.
        let is_news = |error: &&DecodeError| {
            violations.is_empty() || matches!(error.problem(), DecodeProblem::Twice(_))
        };
        if let Some(error) = error.filter(is_news).filter(|_| failed == Some(index)) {
            push(
                pointer_to(value, error.offset().unwrap_or(value.offset())),
                error.reason(text),
            );
        }
        for violation in violations {
            push(violation.pointer, violation.reason);
        }
    }
    if let (Some(error), true) = (error, problems.is_empty()) {
        problems.push(of_the_whole(error, text));
    }
    let misfit = || BindError::new("the parameters do not fit together");
    problems.into_error().unwrap_or_else(misfit)
}

/// Returns the offset of the first name inside a value that would change what is decoded.
fn offset_of_private_name(value: Cursor<'_>) -> Option<usize> {
    let mut cursor = value;
    find_private_name(cursor.value()).map(|offset| value.offset() + offset)
}

fn private_name() -> String {
    format!("in the member's name: names that begin with {PRIVATE_PREFIX} are not allowed")
}

/// Returns the problem for an error of the type that does not belong to a value.
fn of_the_whole(error: &DecodeError, text: &str) -> BindError {
    match error.problem() {
        DecodeProblem::Missing(name) => missing(name),
        DecodeProblem::Twice(name) => given_twice(name),
        _ => BindError::new(error.reason(text)),
    }
}
