//! Finds defaults that are not constant.
//!
//! A schema is generated once, and publishes the default that a function returned at that moment.
//! If the function returns something else at the next call (a clock, a counter, a random value),
//! the schema is untrue. So a schema with defaults is generated a second time and compared.

use super::keyword::for_each_schema;
use super::problem::SchemaProblem;
use crate::json::Json;

/// Returns whether a schema or one inside it has a default.
pub(super) fn has_default(schema: &Json) -> bool {
    let mut has_default = false;
    for_each_schema(schema, &mut |schema| {
        has_default |= schema.get("default").is_some();
    });
    has_default
}

/// Collects the defaults that differ between two runs of the generator. `name` is that of the
/// member or type around them.
pub(super) fn compare_defaults(
    name: &str,
    first: &Json,
    second: &Json,
    found: &mut Vec<SchemaProblem>,
) {
    match (first, second) {
        (Json::Object(first), Json::Object(second)) => {
            for (keyword, first) in first {
                let Some(second) = second.get(keyword.as_str()) else {
                    continue;
                };
                if keyword.as_str() != "default" {
                    compare_defaults(keyword.as_str(), first, second, found);
                } else if sorted(first) != sorted(second) {
                    found.push(SchemaProblem::new(format!(
                        "the default of `{name}` is not constant: {first}, and then {second}; make the \
                         field an `Option` and choose the default in the handler"
                    )));
                }
            }
        }
        (Json::Array(first), Json::Array(second)) => {
            for (first, second) in first.iter().zip(second) {
                compare_defaults(name, first, second, found);
            }
        }
        _ => {}
    }
}

/// Returns the value with the elements of all arrays sorted, because the order of a `HashSet`
/// changes.
fn sorted(value: &Json) -> Json {
    match value {
        Json::Array(elements) => {
            let mut elements: Vec<Json> = elements.iter().map(sorted).collect();
            elements.sort_by_cached_key(Json::to_string);
            Json::Array(elements)
        }
        Json::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, value)| (name, sorted(value)))
                .collect(),
        ),
        scalar => scalar.clone(),
    }
}
