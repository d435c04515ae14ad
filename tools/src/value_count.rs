//! The size of values, for limits on what is copied and remembered.

use docent_describe::json::Json;

/// Returns the number of values in a value, itself included.
pub(crate) fn value_count(value: &Json) -> usize {
    1 + match value {
        Json::Array(elements) => elements.iter().map(value_count).sum(),
        Json::Object(members) => members.values().map(value_count).sum(),
        _ => 0,
    }
}
