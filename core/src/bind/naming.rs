//! Problems with the names or the number of the parameters that are given.
//!
//! These are the texts only. [`names`](super::names) finds the problems after decoding has failed, and
//! [`adapt`](super::adapt) before it.

use std::borrow::Cow;

use docent_describe::SimilarNames;
use docent_describe::brief::{MAX_QUOTED_CHARS, choices, quote};
use docent_describe::json::shorten;

use super::error::BindError;
use super::plan::Plan;

/// Returns an unknown name from a caller, shortened.
pub(super) fn short_name(name: &str) -> Cow<'_, str> {
    shorten(name, MAX_QUOTED_CHARS)
}

/// Returns the problem of a required parameter without a value.
pub(super) fn missing(name: &str) -> BindError {
    BindError::new("this required parameter is missing").for_parameter(name)
}

/// Returns the problem of a parameter that has more than one value.
pub(super) fn given_twice(name: &str) -> BindError {
    BindError::new("this parameter is given twice").for_parameter(name)
}

/// Returns the problem of a call by position of a procedure that takes names only.
pub(super) fn by_name_only() -> BindError {
    BindError::new("this procedure takes its parameters by name only").at_position(0)
}

/// Returns the problem of an unknown name, with a similar parameter if there is one.
pub(super) fn unknown(plan: &Plan, unknown: &str) -> BindError {
    let names: Vec<&str> = plan
        .parameters
        .iter()
        .map(|parameter| &*parameter.name)
        .collect();
    let mut reason = match *names {
        [] => "unknown parameter: the procedure takes none".to_owned(),
        _ => format!("unknown parameter: expected {}", choices(&names)),
    };
    if let [meant] = *SimilarNames::new(names).closest(unknown, 1) {
        reason = format!("{reason}; did you mean {}?", quote(meant));
    }
    BindError::new(reason).for_parameter(short_name(unknown))
}

/// Returns the problem of a call with more values than parameters.
pub(super) fn too_many(plan: &Plan, given: usize) -> BindError {
    let taken = plan.parameters.len();
    BindError::new(format!("expected {}, found {given}", at_most(taken))).at_position(taken)
}

/// Returns the problem of a value beyond the last position.
pub(super) fn no_position(plan: &Plan, position: usize) -> BindError {
    let expected = at_most(plan.parameters.len());
    BindError::new(format!("too many parameters: expected {expected}")).at_position(position)
}

fn at_most(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".to_owned(),
        1 => "at most 1 parameter".to_owned(),
        more => format!("at most {more} parameters"),
    }
}
