//! Integers that serde cannot decode from its buffer.
//!
//! Behind `flatten`, a tag or `untagged`, serde first reads a value into a buffer, which knows neither
//! integers of 128 bits nor keys other than strings. A type that asks for one refuses every value from
//! there.

use super::Trial;
use super::decode::{Ask, Attempt, attempt};
use super::place::{Place, key_ask};
use crate::ParamDescription;
use crate::pattern::Pattern;
use crate::schema::kinds::Kinds;

/// Keys of maps whose keys are integers: one of them is in the range of every integer.
const KEYS: [&str; 3] = ["0", "1", "-1"];

/// Finds out whether a type can decode the integers at a place.
pub(super) fn learn<'t>(
    trial: &mut Trial<'t>,
    param: &ParamDescription,
    place: &Place<'_, 't>,
    attempt: &Attempt,
) {
    let what = if is_wide_and_refused(place, attempt) {
        "integers of 128 bits"
    } else if has_refused_keys(trial, place) {
        "keys of maps that are integers"
    } else {
        return;
    };
    trial.problem(format!(
        "parameter `{}`: serde cannot decode {what} {} behind `#[serde(flatten)]`, `tag` or `untagged`, so \
         calls with one would be refused; use a `String` or a smaller integer, or remove that \
         attribute, or call `.unchecked(reason)` on the procedure",
        param.name,
        place.in_words()
    ));
}

/// Returns whether a value stands for an integer of 128 bits and is read from a buffer, in a call that
/// is refused.
fn is_wide_and_refused(place: &Place<'_, '_>, attempt: &Attempt) -> bool {
    let format = place.case.formats().first().copied();
    let mut asks = attempt.asks_at(place.value).peekable();
    attempt.outcome.is_err()
        && matches!(format, Some("int128" | "uint128"))
        && place.case.kinds.meet(Kinds::INTEGER)
        && asks.peek().is_some()
        && asks.all(|ask| ask == Ask::Any)
}

/// Returns whether the open members at a place have integers as names, the type does not ask for
/// integers, and refuses them all.
fn has_refused_keys<'t>(trial: &Trial<'t>, place: &Place<'_, 't>) -> bool {
    let others = place.case.other_properties();
    let Some((pattern, values)) = others.patterns.first() else {
        return false;
    };
    let is_of_integers = Pattern::new(pattern).is_ok_and(|pattern| {
        KEYS.iter().any(|key| pattern.is_match(key)) && !pattern.is_match("a")
    });
    let Some(value) = trial
        .examples
        .smallest(place.case.views.view(&[values]))
        .filter(|_| is_of_integers)
    else {
        return false;
    };
    let is_refused = |key: &str| {
        let call = place.with_key(key, &value);
        let attempt = attempt(&call, trial.decode);
        attempt.outcome.is_err() && key_ask(&attempt, place.at, &call).is_none()
    };
    let without = place.changed(|members| members.retain(|name, _| place.case.describes(name)));
    trial.is_taken(&without) && KEYS.into_iter().all(is_refused)
}
