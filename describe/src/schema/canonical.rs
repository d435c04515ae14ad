//! One order for everything in a schema.
//!
//! `serde_json` sorts the members of a value or keeps their order, depending on a feature that any
//! crate of a build may switch on. What is served must not: the same types give the same bytes.

use serde_json::{Map, Value};

use super::bounds;
use super::format;
use super::keyword::{COMPONENTS, Holds, holds, rank};
use super::names::DEFINITIONS;
use crate::json::{Decimal, Json, Name, Object};

/// A generated schema in canonical order, with references to the description's components, and
/// with the bounds that the integer types have.
///
/// `root` is the name under which a reference to the whole of the generated schema (`#`) is found.
pub(super) fn schema(value: &Value, root: Option<&str>) -> Json {
    match value {
        Value::Object(members) => Json::Object(object(members, root)),
        other => data(other),
    }
}

fn object(members: &Map<String, Value>, root: Option<&str>) -> Object {
    let mut keywords: Vec<(&String, &Value)> = members.iter().collect();
    keywords.sort_by_cached_key(|(keyword, _)| (rank(keyword), *keyword));
    let mut result = Object::with_capacity(keywords.len() + 2);
    for (keyword, value) in keywords {
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
    result
}

/// Puts the keywords of a schema into canonical order.
pub(super) fn sort(schema: &mut Object) {
    schema.sort_by(|a, b| (rank(a), a).cmp(&(rank(b), b)));
}

/// Schemas by name: the required ones first, as declared, then the others in alphabetical order.
/// Where those that are not required were declared is not to be learned from a schema.
fn named(schemas: &Map<String, Value>, required: &[Value], root: Option<&str>) -> Json {
    let place = |name: &str| {
        required
            .iter()
            .position(|required| required.as_str() == Some(name))
            .unwrap_or(required.len())
    };
    let mut sorted: Vec<(&String, &Value)> = schemas.iter().collect();
    sorted.sort_by_cached_key(|(name, _)| (place(name), *name));
    Json::Object(
        sorted
            .into_iter()
            .map(|(name, value)| (name.clone(), schema(value, root)))
            .collect(),
    )
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
        (None, Some(root)) if text == "#" => Json::String(super::component_reference(root)),
        _ => Json::from(text),
    }
}

/// Plain data, the members of its objects in alphabetical order.
pub(super) fn data(value: &Value) -> Json {
    match value {
        Value::Array(elements) => Json::Array(elements.iter().map(data).collect()),
        Value::Object(members) => {
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            Json::Object(
                sorted
                    .into_iter()
                    .map(|(name, value)| (name.clone(), data(value)))
                    .collect(),
            )
        }
        scalar => Json::from(scalar),
    }
}

/// Says of the variants of an externally tagged enum that is flattened into a struct that a value has the
/// member of one of them only. serde decodes the first that it meets and ignores the others, so that
/// their order would matter.
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

/// The name of the only member that a variant says anything of, if there may be others: where the enum is
/// not flattened, there may not.
fn open_variant(variant: &Json) -> Option<Name> {
    let properties = variant.get("properties")?.as_object()?;
    let [Json::String(name)] = variant.get("required")?.as_array()? else {
        return None;
    };
    let is_only = properties.len() == 1 && properties.contains_key(name);
    (is_only && variant.get("additionalProperties").is_none()).then(|| name.clone().into())
}

/// A default of type `f32` arrives as the double next to it, `0.10000000149011612` for `0.1`.
/// What the author wrote is the shortest text that means the same `f32`.
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

/// `true` and `{}` say the same; the formats that a description is rendered to prefer an object.
pub(super) fn objectified(schema: Json) -> Json {
    match schema {
        Json::Bool(true) => Json::Object(Object::new()),
        schema => schema,
    }
}
