//! Brings everything in a schema into one order.
//!
//! `serde_json` sorts the members of a value or keeps their order, depending on a feature that any
//! crate of a build may enable. Descriptions must not depend on it: the same types give the same
//! bytes.

use serde_json::{Map, Value};

use super::bounds;
use super::format;
use super::keyword::{COMPONENTS, Holds, component_reference, holds, rank};
use super::names::DEFINITIONS;
use crate::json::{Decimal, Json, Name, Object};

/// Returns a generated schema in canonical order, with references to the description's components,
/// and with the bounds of the numeric types.
///
/// `root` is the component's name for a reference to the whole generated schema (`#`).
pub(super) fn schema(value: &Value, root: Option<&str>) -> Json {
    match value {
        Value::Object(members) => Json::Object(object(members, root)),
        other => data(other),
    }
}

fn object(members: &Map<String, Value>, root: Option<&str>) -> Object {
    let mut result = Object::with_capacity(members.len() + 2);
    for (keyword, value) in members {
        let value = match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Value::Array(schemas)) => {
                Json::Array(schemas.iter().map(|value| schema(value, root)).collect())
            }
            (Holds::Schema, value) => schema(value, root),
            (Holds::Named, Value::Object(schemas)) => {
                named(schemas, required_names(keyword, members), root)
            }
            (_, Value::String(text)) if keyword == "$ref" => reference(text, root),
            (_, value) => data(value),
        };
        result.insert(keyword.clone(), value);
    }
    bounds::close(&mut result);
    exclude_each_other(&mut result);
    shorten_float(&mut result);
    format::spell_out(&mut result);
    sort(&mut result);
    result
}

/// Puts the keywords of a schema into canonical order.
pub(super) fn sort(schema: &mut Object) {
    schema.sort_by(|a, _, b, _| (rank(a), a).cmp(&(rank(b), b)));
}

/// Returns schemas by name: the required ones first, in the order of declaration, then the others
/// in alphabetical order. The schema does not tell in which order those were declared.
fn named(schemas: &Map<String, Value>, required: &[Value], root: Option<&str>) -> Json {
    let place = |name: &str| {
        required
            .iter()
            .position(|required| required.as_str() == Some(name))
            .unwrap_or(required.len())
    };
    let mut sorted: Vec<(&String, &Value)> = schemas.iter().collect();
    sorted.sort_by_cached_key(|(name, _)| (place(name), *name));
    let sorted = sorted.into_iter();
    let sorted = sorted.map(|(name, value)| (name, schema(value, root)));
    Json::Object(sorted.collect())
}

fn required_names<'v>(keyword: &str, members: &'v Map<String, Value>) -> &'v [Value] {
    match (keyword, members.get("required")) {
        ("properties", Some(Value::Array(names))) => names,
        _ => &[],
    }
}

fn reference(text: &str, root: Option<&str>) -> Json {
    match (text.strip_prefix(DEFINITIONS), root) {
        (Some(name), _) => Json::String(format!("{COMPONENTS}{name}")),
        (None, Some(root)) if text == "#" => Json::String(component_reference(root)),
        _ => Json::from(text),
    }
}

/// Returns plain data, with the members of its objects in alphabetical order.
pub(super) fn data(value: &Value) -> Json {
    match value {
        Value::Array(elements) => Json::Array(elements.iter().map(data).collect()),
        Value::Object(members) => {
            let sorted = members.iter().map(|(name, value)| (name, data(value)));
            let mut sorted: Object = sorted.collect();
            sorted.sort_unstable_keys();
            Json::Object(sorted)
        }
        scalar => Json::from(scalar),
    }
}

/// Forbids the members of other variants in each variant of an externally tagged enum that is
/// flattened into a struct. serde decodes the first variant that it meets and ignores the others,
/// so their order would matter.
fn exclude_each_other(schema: &mut Object) {
    let Some(Json::Array(variants)) = schema.get_mut("oneOf") else {
        return;
    };
    let names: Vec<Name> = variants.iter().filter_map(open_variant).collect();
    if names.len() < variants.len() {
        return;
    }
    for (variant, own) in variants.iter_mut().zip(&names) {
        if let Json::Object(words) = variant
            && let Some(Json::Object(properties)) = words.get_mut("properties")
        {
            let others = names.iter().filter(|name| *name != own);
            properties.extend(others.map(|name| (name.clone(), Json::Bool(false))));
        }
    }
}

/// Returns the name of the only member that a variant describes, if further members are allowed.
/// They are not if the enum is not flattened.
fn open_variant(variant: &Json) -> Option<Name> {
    let properties = variant.get("properties")?.as_object()?;
    let [Json::String(name)] = variant.get("required")?.as_array()? else {
        return None;
    };
    let is_only = properties.len() == 1 && properties.contains_key(name);
    (is_only && variant.get("additionalProperties").is_none()).then(|| name.clone().into())
}

/// Shortens a default of type `f32`. It arrives as the nearest double, `0.10000000149011612` for
/// `0.1`, but the author wrote the shortest text with the same `f32`.
fn shorten_float(schema: &mut Object) {
    if schema.get("format").and_then(Json::as_str) != Some("float") {
        return;
    }
    if let Some(Json::Number(text)) = schema.get_mut("default")
        && !Decimal::new(text).is_integer()
        && let Ok(value) = text.parse::<f32>()
        && value.is_finite()
    {
        *text = value.to_string().into();
    }
}

/// Replaces `true` by `{}`, which means the same: the formats of a rendering prefer an object.
pub(super) fn objectified(schema: Json) -> Json {
    match schema {
        Json::Bool(true) => Json::Object(Object::new()),
        schema => schema,
    }
}
