//! Finds defaults that are not constant.
//!
//! A schema is generated once, and publishes the default that a function returned at that moment.
//! If the function returns something else at the next call (a clock, a counter, a random value),
//! the schema is untrue. So a schema with defaults is generated a second time and compared.

use serde_json::Value;

use super::problem::ShapeProblem;

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

/// Collects the defaults that differ between two runs of the generator. `name` is that of the member
/// or type around them.
pub(super) fn compare(name: &str, first: &Value, second: &Value, found: &mut Vec<ShapeProblem>) {
    match (first, second) {
        (Value::Object(first), Value::Object(second)) => {
            for (keyword, one) in first {
                let Some(two) = second.get(keyword) else {
                    continue;
                };
                if keyword != DEFAULT {
                    compare(keyword, one, two, found);
                } else if sorted(one) != sorted(two) {
                    found.push(ShapeProblem::new(format!(
                        "the default of `{name}` is not constant: {one}, and then {two}; make the \
                         field an `Option` and choose the default in the handler"
                    )));
                }
            }
        }
        (Value::Array(first), Value::Array(second)) => {
            for (first, second) in first.iter().zip(second) {
                compare(name, first, second, found);
            }
        }
        _ => {}
    }
}

/// Returns the value with the elements of all arrays sorted, because the order of a `HashSet` changes.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.iter().map(sorted).collect();
            elements.sort_by_cached_key(Value::to_string);
            Value::Array(elements)
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, it)| (name.clone(), sorted(it)));
            Value::Object(members.collect())
        }
        scalar => scalar.clone(),
    }
}
