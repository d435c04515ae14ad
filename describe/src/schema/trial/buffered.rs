//! Integers that serde cannot decode from its buffer.
//!
//! Behind `flatten`, a tag or `untagged`, serde first reads a value into a buffer, which knows
//! neither integers of 128 bits nor keys other than strings. A type that asks for one refuses every
//! value from there.

use super::Trial;
use super::decode::{Attempt, attempt};
use super::visit::VisitedValue;
use crate::ParamDescription;
use crate::json::de::Hint;
use crate::pattern::Pattern;
use crate::schema::kinds::Kinds;

/// Keys of maps whose keys are integers: one of them is in the range of every integer.
const INTEGER_KEYS: [&str; 3] = ["0", "1", "-1"];

/// Reports the integers that a type cannot decode in a value.
pub(super) fn report_refused_integers<'t>(
    trial: &mut Trial<'t>,
    param: &ParamDescription,
    visited: &VisitedValue<'_, 't>,
    attempt: &Attempt,
) {
    let what = if is_wide_and_refused(visited, attempt) {
        "integers of 128 bits"
    } else if has_refused_keys(trial, visited) {
        "keys of maps that are integers"
    } else {
        return;
    };
    trial.problem(format!(
        "parameter `{}`: serde cannot decode {what} {} behind `#[serde(flatten)]`, `tag` or `untagged`, so \
         calls with one would be refused; use a `String` or a smaller integer, or remove that \
         attribute, or call `.unchecked(reason)` on the procedure",
        param.name,
        visited.phrase()
    ));
}

/// Returns whether a value stands for an integer of 128 bits and is read from a buffer, in a call
/// that is refused.
fn is_wide_and_refused(visited: &VisitedValue<'_, '_>, attempt: &Attempt) -> bool {
    let format = visited.case.formats().first().copied();
    let mut hints = attempt.hints_at(visited.pointer).peekable();
    attempt.outcome.is_err()
        && matches!(format, Some("int128" | "uint128"))
        && visited.case.kinds.meet(Kinds::INTEGER)
        && hints.peek().is_some()
        && hints.all(|hint| hint == Hint::Any)
}

/// Returns whether the open members of an object have integers as names, the type does not ask for
/// integers, and refuses them all.
fn has_refused_keys<'t>(trial: &Trial<'t>, visited: &VisitedValue<'_, 't>) -> bool {
    let others = visited.case.other_properties();
    let Some((pattern, values)) = others.patterns.first() else {
        return false;
    };
    if !is_of_integers(pattern) {
        return false;
    }
    let Some(value) = trial.examples.smallest(visited.case.views.view(&[values])) else {
        return false;
    };
    let without_keys =
        visited.changed(|members| members.retain(|name, _| visited.case.describes(name.as_str())));
    if !trial.is_taken(&without_keys) {
        return false;
    }
    INTEGER_KEYS.into_iter().all(|key| {
        let attempt = attempt(&visited.with_key(key, &value), trial.decode);
        attempt.outcome.is_err() && attempt.key_hint_at(visited.pointer).is_none()
    })
}

/// Returns whether integers match a pattern of names, and other texts do not.
fn is_of_integers(pattern: &str) -> bool {
    Pattern::new(pattern).is_ok_and(|pattern| {
        INTEGER_KEYS.iter().any(|key| pattern.is_match(key)) && !pattern.is_match("a")
    })
}
