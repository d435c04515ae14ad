//! Makes simpler values, to find the smallest call that leads to a finding.
//!
//! A simpler value has a part less, or a part that is simpler. Whether it still leads to the finding is for the
//! [checker](super::checker) to try.

use docent_describe::json::{Decimal, Json, Object};

/// The maximum number of elements of an array that are left out or made simpler in turn.
const MAX_REDUCED_ELEMENTS: usize = 8;

/// Returns values that are slightly simpler, the simplest first.
pub(super) fn smaller(value: &Json) -> Vec<Json> {
    match value {
        Json::Object(members) => smaller_objects(members),
        Json::Array(elements) => smaller_arrays(elements),
        Json::String(text) => {
            let mut shorter = Vec::new();
            for length in steps(text.chars().count() as i128) {
                let length = usize::try_from(length).unwrap_or(0);
                shorter.push(Json::from(text.chars().take(length).collect::<String>()));
            }
            shorter
        }
        Json::Number(text) => match Decimal::new(text).to_i128() {
            Some(whole) => steps(whole)
                .into_iter()
                .map(|step| Json::Number(step.to_string().as_str().into()))
                .collect(),
            None => vec![Json::from(0), Json::from(1)],
        },
        Json::Bool(true) => vec![Json::Bool(false)],
        Json::Bool(false) | Json::Null => Vec::new(),
    }
}

/// Returns objects with a member less, and then those with a member that is simpler.
fn smaller_objects(members: &Object) -> Vec<Json> {
    let mut objects = Vec::new();
    for name in members.keys() {
        let mut fewer = members.clone();
        fewer.shift_remove(name.as_str());
        objects.push(Json::Object(fewer));
    }
    for (name, inner) in members {
        for inner in smaller(inner) {
            let mut changed = members.clone();
            changed.insert(name.clone(), inner);
            objects.push(Json::Object(changed));
        }
    }
    objects
}

/// Returns the first half of an array, and then arrays with an element less or one that is simpler.
fn smaller_arrays(elements: &[Json]) -> Vec<Json> {
    let mut arrays = Vec::new();
    if elements.len() > 3 {
        arrays.push(Json::Array(elements[..elements.len() / 2].to_vec()));
    }
    for at in (0..elements.len()).rev().take(MAX_REDUCED_ELEMENTS) {
        let mut fewer = elements.to_vec();
        fewer.remove(at);
        arrays.push(Json::Array(fewer));
    }
    for (at, inner) in elements.iter().enumerate().take(MAX_REDUCED_ELEMENTS) {
        for inner in smaller(inner) {
            let mut changed = elements.to_vec();
            changed[at] = inner;
            arrays.push(Json::Array(changed));
        }
    }
    arrays
}

/// Returns numbers closer to zero, the closest first: those with half of the binary digits or fewer, and then those
/// that are less and less apart from this one. So few steps lead from any number to the first one beyond a limit.
fn steps(from: i128) -> Vec<i128> {
    let shorter = [64, 32, 16, 8, 4, 2, 1].map(|digits| from >> digits);
    let nearer = (2..i128::BITS).map(|digits| from - (from >> digits));
    let closest = [0, from.signum()].into_iter().chain(shorter);
    let mut steps = Vec::new();
    for step in closest.chain(nearer).chain([from - from.signum()]) {
        if step != from && !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::smaller;
    use docent_describe::json::Json;

    #[test]
    fn the_first_number_beyond_a_limit_is_found_in_few_steps() {
        for limit in [0, 1, 50, 1_000_000, i64::MAX / 3] {
            for start in [limit + 1, i64::MAX - 1, i64::MAX] {
                let mut number = i128::from(start);
                let mut tried = 0;
                let mut is_beyond = |step: &i128| {
                    tried += 1;
                    *step > i128::from(limit)
                };
                while let Some(step) = super::steps(number).into_iter().find(&mut is_beyond) {
                    number = step;
                }
                assert_eq!(number, i128::from(limit) + 1, "from {start}");
                assert!(tried < 2000, "{tried} from {start} to {limit}");
            }
        }
    }

    #[test]
    fn smaller_values_end() {
        let mut value: Json = r#"{"a": [1, 22, "text"], "b": {"c": true, "d": 0.5}, "e": -40}"#
            .parse()
            .expect("JSON");
        let mut steps = 0;
        while let Some(next) = smaller(&value).into_iter().last() {
            value = next;
            steps += 1;
            assert!(steps < 500, "{value}");
        }
        assert!(smaller(&value).is_empty());
    }
}
