//! Brings everything in a schema into one order.
//!
//! `serde_json` sorts the members of a value or keeps their order, depending on a feature that any
//! crate of a build may enable. Descriptions must not depend on it: the same types give the same
//! bytes.

use super::bounds;
use super::component_names::component_reference;
use super::keyword::{change_all, rank, redirect};
use super::publish;
use crate::json::{Decimal, Json, Name, Object};

/// Returns a generated schema in canonical order, and with the bounds of the numeric types.
/// `root` is the component's name for a reference to the whole generated schema (`#`).
pub(super) fn schema(generated: &Json, root: Option<&str>) -> Json {
    let mut schema = generated.clone();
    schema.sort_members();
    redirect(&mut schema, &|reference| match (reference, root) {
        ("#", Some(root)) => Some(component_reference(root)),
        _ => None,
    });
    change_all(&mut schema, &mut |members| {
        put_required_first(members);
        bounds::add_type_bounds(members);
        exclude_each_other(members);
        shorten_float(members);
        publish::spell_out(members);
        sort_keywords(members);
    });
    schema
}

/// Puts the keywords of a schema into canonical order.
pub(super) fn sort_keywords(schema: &mut Object) {
    schema.sort_by_key(|name| (rank(name.as_str()), name.clone()));
}

/// Puts the required properties first, in the order of declaration. The others stay in alphabetical
/// order, because the schema does not have the order in which those were declared.
fn put_required_first(schema: &mut Object) {
    let Some(Json::Array(required)) = schema.get("required").cloned() else {
        return;
    };
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        properties.sort_by_key(|property| {
            required
                .iter()
                .position(|name| name.as_str() == Some(property.as_str()))
                .unwrap_or(required.len())
        });
    }
}

/// Forbids the members of other variants in each variant of an externally tagged enum that is
/// flattened into a struct. serde decodes the first variant that it finds and ignores the others,
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
        if let Json::Object(keywords) = variant
            && let Some(Json::Object(properties)) = keywords.get_mut("properties")
        {
            for other in names.iter().filter(|name| *name != own) {
                properties.insert(other.clone(), Json::Bool(false));
            }
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
    if is_only && variant.get("additionalProperties").is_none() {
        Some(name.clone().into())
    } else {
        None
    }
}

/// Shortens a default of type `f32`. It arrives as the nearest double, `0.10000000149011612` for
/// `0.1`, but the author wrote the shortest text with the same `f32`.
fn shorten_float(schema: &mut Object) {
    if schema.get_str("format") != Some("float") {
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
