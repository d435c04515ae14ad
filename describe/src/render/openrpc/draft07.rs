//! Converts JSON Schema 2020-12 to draft-07.
//!
//! What draft-07 cannot express is left out, so a converted schema accepts what the original
//! accepts, and sometimes more.

use std::borrow::Cow;

use super::cut::Cut;
use crate::json::{Decimal, Json, Object};
use crate::openrpc::{CUT, cut_description};
use crate::schema::keyword::{Holds, holds};

/// Returns the schema in draft-07, with the references in `cut` replaced. Most schemas are the same
/// in both drafts, and are not copied.
pub(super) fn schema<'s>(schema: &'s Json, cut: &Cut<'_>) -> Cow<'s, Json> {
    if is_same(schema, cut) {
        Cow::Borrowed(schema)
    } else {
        Cow::Owned(converted(schema, cut))
    }
}

/// Returns whether a schema is surely the same in draft-07.
fn is_same(schema: &Json, cut: &Cut<'_>) -> bool {
    let Json::Object(members) = schema else {
        return true;
    };
    members.iter().all(|(keyword, value)| {
        match keyword.as_str() {
            "$schema"
            | "$id"
            | "$anchor"
            | "$dynamicRef"
            | "$dynamicAnchor"
            | "$vocabulary"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "minContains"
            | "maxContains"
            | "contentSchema"
            | "$defs"
            | "prefixItems"
            | "dependentRequired"
            | "dependentSchemas" => return false,
            "$ref" => {
                let unchanged = |reference: &str| {
                    cut.name(reference).is_none() && !reference.contains("/$defs/")
                };
                return members.len() == 1 && value.as_str().is_some_and(unchanged);
            }
            _ => {}
        }
        match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Json::Array(schemas)) => {
                schemas.iter().all(|inner| is_same(inner, cut))
            }
            (Holds::Schema, inner) => is_same(inner, cut),
            (Holds::Named, Json::Object(schemas)) => {
                schemas.values().all(|inner| is_same(inner, cut))
            }
            _ => true,
        }
    })
}

fn converted(schema: &Json, cut: &Cut<'_>) -> Json {
    let Json::Object(members) = schema else {
        return schema.clone();
    };
    let mut result = Object::with_capacity(members.len());
    for (keyword, value) in members {
        if asserts_backwards(keyword) && is_cut(value, cut) {
            continue;
        }
        let value = match (holds(keyword), value) {
            (Holds::Schema | Holds::Schemas, Json::Array(schemas)) => {
                Json::Array(schemas.iter().map(|inner| converted(inner, cut)).collect())
            }
            (Holds::Schema, inner) => converted(inner, cut),
            (Holds::Named, Json::Object(schemas)) => Json::Object(
                schemas
                    .iter()
                    .map(|(name, inner)| (name.clone(), converted(inner, cut)))
                    .collect(),
            ),
            (_, value) => value.clone(),
        };
        insert(&mut result, keyword, value, members, cut);
    }
    reference(result, cut)
}

/// Inserts a keyword under the name that it has in draft-07, if it has one.
fn insert(result: &mut Object, keyword: &str, value: Json, members: &Object, cut: &Cut<'_>) {
    let name = match keyword {
        "$schema"
        | "$id"
        | "$anchor"
        | "$dynamicRef"
        | "$dynamicAnchor"
        | "$vocabulary"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "minContains"
        | "maxContains"
        | "contentSchema" => return,
        "$defs" => "definitions",
        "prefixItems" => "items",
        "items" if members.contains_key("prefixItems") => "additionalItems",
        // With `minContains: 0`, no element must match.
        "contains" if is_zero(members.get("minContains")) => return,
        "dependentRequired" | "dependentSchemas" => {
            let dependencies =
                result.or_insert_with("dependencies", || Json::Object(Object::new()));
            if let (Json::Object(all), Json::Object(more)) = (dependencies, value) {
                all.extend(more);
            }
            return;
        }
        // A cut reference accepts anything, but exactly one branch of `oneOf` may match.
        "oneOf" if has_cut(members.get("oneOf"), cut) => "anyOf",
        keyword => keyword,
    };
    match (result.get_mut(name), value) {
        (Some(Json::Array(both)), Json::Array(more)) if name == "anyOf" => both.extend(more),
        (_, value) => {
            result.insert(name.to_owned(), value);
        }
    }
}

/// Converts a `$ref`. Draft-07 ignores keywords beside it, so it becomes a branch of its own,
/// unless it is alone or must be cut.
fn reference(mut schema: Object, cut: &Cut<'_>) -> Json {
    let Some(Json::String(reference)) = schema.get("$ref").cloned() else {
        return Json::Object(schema);
    };
    if let Some(name) = cut.name(&reference) {
        let said = schema.get("description").cloned();
        let description = said.unwrap_or_else(|| Json::String(cut_description(&name)));
        let cut = [
            ("description".to_owned(), description),
            (CUT.to_owned(), Json::String(reference)),
        ];
        return Json::Object(cut.into_iter().collect());
    }
    let reference = Json::String(reference.replace("/$defs/", "/definitions/"));
    if schema.len() == 1 {
        schema.insert("$ref".to_owned(), reference);
        return Json::Object(schema);
    }
    schema.shift_remove("$ref");
    let branch = Json::Object([("$ref".to_owned(), reference)].into_iter().collect());
    let branches = schema.or_insert_with("allOf", || Json::Array(Vec::new()));
    if let Json::Array(branches) = branches {
        branches.insert(0, branch);
    }
    Json::Object(schema)
}

/// Returns whether a keyword's subschema, if it accepts more, makes the whole schema accept less or
/// something else.
fn asserts_backwards(keyword: &str) -> bool {
    matches!(keyword, "not" | "if" | "then" | "else")
}

/// Returns whether a schema contains a reference that must be cut.
fn is_cut(schema: &Json, cut: &Cut<'_>) -> bool {
    let mut found = false;
    crate::schema::for_each_reference(schema, &mut |reference| {
        found |= cut.name(reference).is_some();
    });
    found
}

fn has_cut(schemas: Option<&Json>, cut: &Cut<'_>) -> bool {
    schemas
        .and_then(Json::as_array)
        .is_some_and(|schemas| schemas.iter().any(|schema| is_cut(schema, cut)))
}

fn is_zero(value: Option<&Json>) -> bool {
    matches!(value, Some(Json::Number(text)) if Decimal::new(text) == Decimal::new("0"))
}
