//! Finds defaults that are not constant.
//!
//! A schema is generated once, and publishes the default that a function returned at that moment.
//! If the function returns something else at the next call (a clock, a counter, a random value),
//! the schema is untrue. So a schema with defaults is generated a second time and compared.

use serde_json::{Map, Value};

use super::ShapeProblem;

const DEFAULT: &str = "default";

/// Returns whether a schema or anything inside it has a default.
pub(super) fn has_default(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            members.contains_key(DEFAULT) || members.values().any(has_default)
        }
        Value::Array(elements) => elements.iter().any(has_default),
        _ => false,
    }
}

/// Collects the defaults that differ between two runs of the generator. `name` is that of the
/// nearest member or type.
pub(super) fn compare(name: &str, first: &Value, second: &Value, found: &mut Vec<ShapeProblem>) {
    match (first, second) {
        (Value::Object(first), Value::Object(second)) => {
            compare_members(name, first, second, found);
        }
        (Value::Array(first), Value::Array(second)) => {
            for (first, second) in first.iter().zip(second) {
                compare(name, first, second, found);
            }
        }
        _ => {}
    }
}

fn compare_members(
    name: &str,
    first: &Map<String, Value>,
    second: &Map<String, Value>,
    found: &mut Vec<ShapeProblem>,
) {
    for (keyword, one) in first {
        let Some(two) = second.get(keyword) else {
            continue;
        };
        match (keyword.as_str(), one, two) {
            (DEFAULT, one, two) => {
                if !is_same(one, two) {
                    found.push(ShapeProblem::new(format!(
                        "the default of `{name}` is not constant: {one}, and then {two}; make the \
                         field an `Option` and choose the default in the handler"
                    )));
                }
            }
            ("properties", Value::Object(one), Value::Object(two)) => {
                for (member, one) in one {
                    if let Some(two) = two.get(member) {
                        compare(member, one, two, found);
                    }
                }
            }
            (_, one, two) => compare(name, one, two, found),
        }
    }
}

/// Returns whether two values are equal. The order of elements is ignored, because that of a
/// `HashSet` changes.
fn is_same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Array(one), Value::Array(two)) => {
            let sorted = |elements: &[Value]| {
                let mut texts: Vec<String> = elements.iter().map(Value::to_string).collect();
                texts.sort_unstable();
                texts
            };
            one == two || sorted(one) == sorted(two)
        }
        (Value::Object(one), Value::Object(two)) => {
            let same =
                |(name, one): (&String, &Value)| two.get(name).is_some_and(|two| is_same(one, two));
            one.len() == two.len() && one.iter().all(same)
        }
        _ => one == two,
    }
}
