//! Documented enums, in the form that generators of clients read.
//!
//! In JSON Schema, each value of a documented enum is an alternative of its own, because only a schema
//! can have a text. Generators make a class of each alternative. So an OpenAPI document has
//! one `enum`, with the texts in an extension beside it that generators and viewers know. No other format
//! needs this.
//!
//! ```json
//! {"oneOf": [{"type": "string", "const": "low", "description": "Can wait."},
//!            {"type": "string", "const": "high"}]}
//! {"type": "string", "enum": ["low", "high"], "x-enum-descriptions": ["Can wait.", ""]}
//! ```

use crate::json::{Json, Object};
use crate::schema::keyword::for_each_child_mut;

/// The extension with a text for each value of `enum`, in the same order.
const VALUE_TEXTS: &str = "x-enum-descriptions";

/// Rewrites the documented enums in a schema.
pub(super) fn unite(schema: &mut Json) {
    for_each_child_mut(schema, &mut |_, child| unite(child));
    let Json::Object(members) = schema else {
        return;
    };
    for union in ["oneOf", "anyOf"] {
        let Some(listed) = members.get(union).and_then(Listed::new) else {
            continue;
        };
        // Another `enum` or `type` would limit the values further.
        if members.contains_key("enum") || members.contains_key("const") {
            continue;
        }
        let is_typed = members.contains_key("type");
        members.shift_remove(union);
        if !is_typed {
            members.insert("type", listed.type_name.into());
        }
        members.insert("enum", Json::Array(listed.values));
        if listed.texts.iter().any(|text| !text.is_empty()) {
            members.insert(VALUE_TEXTS, listed.texts.into_iter().collect());
        }
    }
}

/// The values that the alternatives of a union list.
struct Listed {
    /// The type of all values.
    type_name: String,
    values: Vec<Json>,
    /// A text for each value, or an empty one.
    texts: Vec<String>,
}

impl Listed {
    /// Returns the values of a union, unless it is more than a list of values of one type.
    fn new(union: &Json) -> Option<Self> {
        let mut type_name = None;
        let mut values = Vec::new();
        let mut texts = Vec::new();
        for alternative in union.as_array()? {
            let alternative = alternative.as_object()?;
            let own_type = alternative.get_str("type")?;
            if *type_name.get_or_insert(own_type) != own_type || !is_list(alternative) {
                return None;
            }
            let own_values = match alternative.get("const") {
                Some(value) => std::slice::from_ref(value),
                None => alternative.get("enum")?.as_array()?,
            };
            // A value in two alternatives of `oneOf` would be refused.
            if own_values.iter().any(|value| values.contains(value)) {
                return None;
            }
            values.extend_from_slice(own_values);
            texts.resize(values.len(), text(alternative));
        }
        Some(Self {
            type_name: type_name?.to_owned(),
            values,
            texts,
        })
    }
}

/// Returns whether an alternative only lists values.
fn is_list(alternative: &Object) -> bool {
    alternative.iter().all(|(keyword, _)| {
        let keyword = keyword.as_str();
        [
            "type",
            "const",
            "enum",
            "title",
            "description",
            "deprecated",
        ]
        .contains(&keyword)
    })
}

/// Returns the text about the values of an alternative.
fn text(alternative: &Object) -> String {
    let text = alternative
        .get_str("description")
        .or(alternative.get_str("title"))
        .unwrap_or_default();
    if alternative.get("deprecated") == Some(&Json::Bool(true)) {
        return format!("Deprecated. {text}").trim_end().to_owned();
    }
    text.to_owned()
}
