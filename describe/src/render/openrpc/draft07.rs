//! Converts JSON Schema 2020-12 to draft-07, which OpenRPC documents have.
//!
//! | 2020-12 | draft-07 |
//! |---|---|
//! | `prefixItems` and `items` | `items` and `additionalItems` |
//! | `dependentRequired`, `dependentSchemas` | `dependencies` |
//! | `$ref` beside other keywords | an `allOf` with the `$ref` alone |
//! | a `format` that the service checks | its pattern |
//! | a `$ref` that closes a cycle | a description, because tools do not survive the cycle |
//! | `unevaluatedProperties`, `minContains`, … | nothing |
//!
//! So a converted schema accepts all that the original accepts, and sometimes more.

use super::cut::CutReferences;
use crate::json::{Decimal, Json, Object};
use crate::openrpc::{CUT_REFERENCE, cut_description};
use crate::render::schemas::split_types;
use crate::schema::keyword::is_of_other_members;
use crate::schema::{Format, KeywordValue, for_each_reference, holds};

/// A conversion of schemas, with all that it depends on beside the schema.
#[derive(Clone, Copy)]
pub(super) struct Conversion<'c> {
    /// The references to cut.
    pub(super) cut: CutReferences<'c>,
    /// The formats that the service checks. Others are annotations.
    pub(super) enforced_formats: &'c [String],
}

impl Conversion<'_> {
    /// Returns whether a schema is the same in draft-07.
    ///
    /// Schemas are converted again when they are written. The alternative would be to keep the converted
    /// schemas of the whole document until then.
    pub(super) fn is_same(self, original: &Json) -> bool {
        self.schema(original) == *original
    }

    /// Returns the schema in draft-07.
    pub(super) fn schema(self, schema: &Json) -> Json {
        let members = match schema {
            Json::Object(members) => members,
            // Tools look for keywords in every schema, and fail on a Boolean.
            Json::Bool(true) => return Object::new().into(),
            Json::Bool(false) => return Object::new().with("not", Object::new()).into(),
            other => return other.clone(),
        };
        let mut result = Object::with_capacity(members.len());
        for (keyword, value) in members {
            if asserts_backwards(keyword.as_str()) && is_cut(value, self.cut) {
                continue;
            }
            let converted = match (holds(keyword.as_str()), value) {
                (KeywordValue::Schema | KeywordValue::Schemas, Json::Array(schemas)) => {
                    schemas.iter().map(|inner| self.schema(inner)).collect()
                }
                (KeywordValue::Schema, Json::Bool(_))
                    if is_about_the_rest(keyword.as_str(), members) =>
                {
                    value.clone()
                }
                (KeywordValue::Schema, inner) => self.schema(inner),
                (KeywordValue::Named, Json::Object(schemas)) => {
                    let mut named = Object::with_capacity(schemas.len());
                    for (name, inner) in schemas {
                        named.insert(name, self.schema(inner));
                    }
                    named.into()
                }
                (_, value) => value.clone(),
            };
            self.insert(&mut result, keyword.as_str(), converted, members);
        }
        reference(split_types(result), self.cut)
    }

    /// Inserts a keyword under its name in draft-07, if it has one.
    fn insert(self, result: &mut Object, keyword: &str, value: Json, members: &Object) {
        let name = match keyword {
            "format" => return self.format(result, value, members),
            keyword if is_not_in_draft07(keyword) => return,
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
            // A cut reference accepts anything, but exactly one alternative of `oneOf` may match.
            "oneOf" if has_cut(members.get("oneOf"), self.cut) => "anyOf",
            keyword => keyword,
        };
        match (result.get_mut(name), value) {
            // Another keyword has become the same one.
            (Some(Json::Array(all)), Json::Array(more)) if matches!(name, "allOf" | "anyOf") => {
                all.extend(more);
            }
            (_, value) => {
                result.insert(name.to_owned(), value);
            }
        }
    }

    /// Inserts a format, or a pattern in its place if the service checks the format.
    ///
    /// One of the tools compiles no schema with a format, and another no schema with a format that
    /// draft-07 does not define.
    fn format(self, result: &mut Object, format: Json, members: &Object) {
        let name = format.as_str().unwrap_or_default();
        let is_enforced = self
            .enforced_formats
            .iter()
            .any(|enforced| enforced == name);
        let pattern = match Format::find(name) {
            Some(known) if is_enforced => known.pattern(),
            _ => None,
        };
        match pattern {
            Some(pattern) if members.contains_key("pattern") => {
                if let Json::Array(all) = result.or_insert_with("allOf", || Json::Array(Vec::new()))
                {
                    all.push(Object::new().with("pattern", pattern).into());
                }
            }
            Some(pattern) => {
                result.insert("pattern", Json::from(pattern));
            }
            None => {
                result.insert("format", format);
            }
        }
    }
}

/// Returns whether draft-07, which OpenRPC documents have, lacks a keyword and has none in its place.
pub fn is_not_in_draft07(keyword: &str) -> bool {
    matches!(
        keyword,
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
    )
}

/// Returns whether a keyword is about the members or elements that other keywords leave over. Tools
/// expect a Boolean for these.
fn is_about_the_rest(keyword: &str, members: &Object) -> bool {
    match keyword {
        "additionalItems" => true,
        "items" => members.contains_key("prefixItems"),
        _ => is_of_other_members(keyword),
    }
}

/// Converts a `$ref`. Draft-07 ignores keywords beside it, so it becomes a schema of its own in `allOf`,
/// unless it is alone or must be cut.
fn reference(mut schema: Object, cut: CutReferences<'_>) -> Json {
    let Some(Json::String(reference)) = schema.get("$ref").cloned() else {
        return Json::Object(schema);
    };
    if let Some(name) = cut.name(&reference) {
        let description = schema
            .get("description")
            .cloned()
            .unwrap_or_else(|| cut_description(&name).into());
        return Object::from([
            ("description", description),
            (CUT_REFERENCE, reference.into()),
        ])
        .into();
    }
    let reference = Json::String(reference.replace("/$defs/", "/definitions/"));
    if schema.len() == 1 {
        schema.insert("$ref".to_owned(), reference);
        return Json::Object(schema);
    }
    schema.shift_remove("$ref");
    let target = Object::from([("$ref", reference)]).into();
    if let Json::Array(all) = schema.or_insert_with("allOf", || Json::Array(Vec::new())) {
        all.insert(0, target);
    }
    Json::Object(schema)
}

/// Returns whether a keyword's subschema, if it accepts more, makes the whole schema accept less or
/// something else.
fn asserts_backwards(keyword: &str) -> bool {
    matches!(keyword, "not" | "if" | "then" | "else")
}

/// Returns whether a schema contains a reference that must be cut.
fn is_cut(schema: &Json, cut: CutReferences<'_>) -> bool {
    let mut found = false;
    for_each_reference(schema, &mut |reference| {
        found |= cut.name(reference).is_some();
    });
    found
}

/// Returns whether any of several schemas contains a reference that must be cut.
fn has_cut(schemas: Option<&Json>, cut: CutReferences<'_>) -> bool {
    schemas
        .and_then(Json::as_array)
        .is_some_and(|schemas| schemas.iter().any(|schema| is_cut(schema, cut)))
}

fn is_zero(value: Option<&Json>) -> bool {
    matches!(value, Some(Json::Number(text)) if Decimal::new(text) == Decimal::new("0"))
}
