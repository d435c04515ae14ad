//! Restores schemas from the draft-07 of Docent's own OpenRPC documents.
//!
//! Writers use this too: if a schema cannot be restored, they write the original beside it.

use super::CUT;
use super::cut_description;
use crate::json::{Json, Object};
use crate::schema::keyword::{Holds, holds};
use crate::schema::{component_entered, format_of};

/// Restores the schema that was converted. Subschemas may become Booleans, but the root stays an
/// object, because both `true` and `{}` are written as `{}`.
pub(crate) fn restored(schema: &Json) -> Json {
    let Json::Object(members) = schema else {
        return schema.clone();
    };
    let mut result = Object::with_capacity(members.len());
    for (keyword, value) in members {
        let value = match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Json::Array(schemas)) => {
                Json::Array(schemas.iter().map(inner).collect())
            }
            (Holds::Schema, schema) => inner(schema),
            (Holds::Named, Json::Object(schemas)) => Json::Object(
                schemas
                    .iter()
                    .map(|(name, schema)| (name.clone(), inner(schema)))
                    .collect(),
            ),
            (_, value) => value.clone(),
        };
        result.insert(keyword.clone(), value);
    }
    if let Some(Json::String(pattern)) = result.get("pattern")
        && let Some(format) = format_of(pattern)
    {
        rename(&mut result, "pattern", "format", Json::from(format));
    }
    restore_cut(&mut result);
    lone_reference(&mut result);
    positional_items(&mut result);
    dependencies(&mut result);
    list_of_types(&mut result);
    Json::Object(result)
}

/// Restores a schema inside another, in which a Boolean is written as an object.
fn inner(schema: &Json) -> Json {
    let members = match schema {
        Json::Object(members) if members.len() <= 1 => members,
        other => return restored(other),
    };
    match members.get("not") {
        None if members.is_empty() => Json::Bool(true),
        Some(Json::Object(all)) if all.is_empty() => Json::Bool(false),
        _ => restored(schema),
    }
}

/// Restores a reference that Docent's own OpenRPC rendering has cut to break a cycle.
pub(crate) fn restore_cut(schema: &mut Object) {
    if let Some(Json::String(reference)) = schema.get(CUT).cloned()
        && !schema.contains_key("$ref")
        && let Some(name) = component_entered(&reference)
    {
        let said = schema.get("description").and_then(Json::as_str);
        if said == Some(&cut_description(&name)) {
            schema.shift_remove("description");
        }
        rename(schema, CUT, "$ref", Json::from(reference.as_str()));
    }
}

/// Unwraps a `$ref` from an `allOf` of its own. Before 2019-09, keywords beside `$ref` were
/// ignored, so authors wrapped it.
pub(crate) fn lone_reference(schema: &mut Object) {
    if let Some([Json::Object(branch)]) = schema.get("allOf").and_then(Json::as_array)
        && branch.len() == 1
        && !schema.contains_key("$ref")
        && let Some(reference @ Json::String(_)) = branch.get("$ref").cloned()
    {
        rename(schema, "allOf", "$ref", reference);
    }
}

/// Converts an array in `items`, which is called `prefixItems` since 2020-12.
pub(crate) fn positional_items(schema: &mut Object) {
    let Some(Json::Array(items)) = schema.get("items").cloned() else {
        // Without such an array, `additionalItems` never had a meaning.
        schema.shift_remove("additionalItems");
        return;
    };
    if items.is_empty() {
        schema.shift_remove("items");
    } else {
        rename(schema, "items", "prefixItems", Json::Array(items));
    }
    if let Some(rest) = schema.get("additionalItems").cloned() {
        rename(schema, "additionalItems", "items", rest);
    }
}

/// Splits `dependencies`, which since 2019-09 is `dependentRequired` and `dependentSchemas`.
pub(crate) fn dependencies(schema: &mut Object) {
    let Some(Json::Object(dependencies)) = schema.get("dependencies").cloned() else {
        return;
    };
    let (names, schemas): (Object, Object) = dependencies
        .into_iter()
        .partition(|(_, value)| matches!(value, Json::Array(_)));
    schema.shift_remove("dependencies");
    for (keyword, value) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
        if !value.is_empty() && !schema.contains_key(keyword) {
            schema.insert(keyword.to_owned(), Json::Object(value));
        }
    }
}

/// Joins branches that have one type each into a schema with a list of types.
fn list_of_types(schema: &mut Object) {
    let Some(Json::Array(branches)) = schema.get("anyOf") else {
        return;
    };
    if schema.contains_key("type") || branches.len() < 2 {
        return;
    }
    let mut types = Vec::new();
    let mut joined = Object::new();
    let mut values = Vec::new();
    for branch in branches {
        let Json::Object(members) = branch else {
            return;
        };
        let Some(Json::String(word)) = members.get("type") else {
            return;
        };
        let word_alone = Json::from(word.as_str());
        if types.contains(&word_alone) {
            return;
        }
        types.push(word_alone);
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("type", _) => {}
                ("enum", Json::Array(more)) => values.extend(more.iter().cloned()),
                _ => {
                    joined.insert(keyword.clone(), value.clone());
                }
            }
        }
        if word == "null" {
            values.push(Json::Null);
        }
    }
    if values.iter().any(|value| *value != Json::Null) {
        joined.insert("enum", Json::Array(values));
    }
    rename(schema, "anyOf", "type", Json::Array(types));
    schema.extend(joined);
}

/// Renames a keyword and keeps its position.
pub(crate) fn rename(schema: &mut Object, from: &str, to: &str, value: Json) {
    let Some(place) = schema.get_index_of(from) else {
        return;
    };
    schema.shift_remove_index(place);
    schema.shift_remove(to);
    schema.shift_insert(place, to, value);
}
