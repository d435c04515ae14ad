//! Explains why the parameters of a call are invalid. Everything here runs only for calls that fail.
//!
//! All problems are reported at once: first those with names and with the number of values, then the
//! violations of each parameter's schema, in the order of the description. serde's own error is
//! reported if the schema of its parameter has no violation: a type may be stricter than its schema.

use docent_describe::json::de::{DecodeError, DecodeProblem};
use docent_describe::json::{Cursor, PRIVATE_PREFIX, Pointer, find_private_name, pointer_to};
use docent_describe::schema::check::Violation;

use super::error::BindError;
use super::names::PassedValues;
use super::naming::{given_twice, missing};
use super::plan::{Plan, PlannedParameter};
use super::problems::{MAX_PROBLEMS, Problems};

/// Explains why the parameters in the container `text` are invalid: for `problems` that are known
/// already, and for the error that ended decoding, if there is one.
#[cold]
pub(super) fn explain(
    plan: &Plan,
    text: &str,
    mut problems: Problems,
    error: Option<&DecodeError>,
) -> BindError {
    let passed = PassedValues::read(plan, text, &mut problems);
    let error = error.filter(|error| !error.is_unexplained());
    let failed = error.and_then(|error| passed.index_at(error.offset()?));
    for (index, (parameter, value)) in plan.parameters.iter().zip(&passed.values).enumerate() {
        let Some(value) = *value else { continue };
        let position = passed.by_position.then_some(index);
        if let Some(offset) = offset_of_private_name(value) {
            let pointer = pointer_to(value, offset);
            problems.push(problem_inside(
                parameter,
                position,
                &pointer,
                private_name(),
            ));
        }
        let violations = match &parameter.check.check {
            Some(check) => check.violations(value, MAX_PROBLEMS),
            None => Vec::new(),
        };
        // No schema can forbid repeated members.
        if let Some(error) = error
            && failed == Some(index)
            && (violations.is_empty() || matches!(error.problem(), DecodeProblem::Twice(_)))
        {
            let pointer = pointer_to(value, error.offset().unwrap_or(value.offset()));
            problems.push(problem_inside(
                parameter,
                position,
                &pointer,
                error.reason(text),
            ));
        }
        for Violation { pointer, reason } in violations {
            problems.push(problem_inside(parameter, position, &pointer, reason));
        }
    }
    if let (Some(error), true) = (error, problems.is_empty()) {
        problems.push(of_the_whole(error, text));
    }
    problems
        .into_error()
        .unwrap_or_else(|| BindError::new("the parameters do not fit together"))
}

/// Returns the problem with the value at a pointer inside a parameter, which may have been given by its
/// position.
fn problem_inside(
    parameter: &PlannedParameter,
    position: Option<usize>,
    pointer: &Pointer,
    reason: String,
) -> BindError {
    let problem = BindError::new(reason)
        .for_parameter(&*parameter.name)
        .with_pointer(pointer);
    match position {
        Some(position) => problem.at_position(position),
        None => problem,
    }
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
