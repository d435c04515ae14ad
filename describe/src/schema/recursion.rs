//! Finds types that contain themselves in ways that are expensive to decode.
//!
//! serde decodes an untagged enum by trying its variants one after the other, each on a copy of the
//! value. If a variant contains the enum again, every level of nesting multiplies the attempts of
//! the levels above it: an invalid value of a few hundred bytes takes minutes. Maps and tagged
//! enums that are flattened are copied too, but only once for each level: 2 MiB take seconds.
//! Recursion through tags, options and flattened structs moves values, and its cost is linear in
//! their length.

use std::iter;

use super::keyword::{for_each_schema, list, named};
use super::references::{References, references};
use super::shape::Definitions;
use crate::json::{Json, Object};

/// The reason why a recursion is expensive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// It goes through an untagged enum.
    Retried,
    /// It goes through a flattened map or a flattened enum.
    Copied,
}

/// Returns the schemas that schemars writes beside the properties of a struct for a map or an enum that
/// is flattened into it. Alternatives with a single member each, as of an externally tagged enum, are
/// left out, because serde does not copy those.
fn flattened(schema: &Json) -> Vec<&Json> {
    let mut flattened = Vec::new();
    let words = schema.as_object();
    let is_object = |words: &&Object| words.get("type").and_then(Json::as_str) == Some("object");
    let Some(words) = words.filter(is_object) else {
        return flattened;
    };
    if words.contains_key("properties") {
        flattened.extend(words.get("additionalProperties"));
        flattened.extend(words.get("unevaluatedProperties"));
        flattened.extend(named(words, "patternProperties").map(|(_, schema)| schema));
    }
    let several = list(words, "allOf").iter().filter_map(Json::as_object);
    for words in iter::once(words).chain(several) {
        flattened.extend(list(words, "oneOf").iter().filter(|it| has_tag(it)));
    }
    flattened
}

/// Returns whether a property distinguishes an alternative from others.
fn has_tag(alternative: &Json) -> bool {
    let words = alternative.as_object().into_iter();
    words
        .flat_map(|words| named(words, "properties"))
        .any(|(_, schema)| schema.get("const").is_some())
}

/// Returns the names of the types that contain themselves in an expensive way.
pub(super) fn expensive(definitions: &Definitions) -> Vec<(String, Cost)> {
    let used = References::new(definitions);
    let mut found = Vec::new();
    for (place, (name, schema)) in definitions.iter().enumerate() {
        for (cost, parts) in [
            (Cost::Retried, untagged as fn(&Json) -> Vec<&Json>),
            (Cost::Copied, flattened),
        ] {
            let mut inner = Vec::new();
            for_each_schema(schema, &mut |schema| {
                let parts = parts(schema).into_iter();
                inner.extend(parts.flat_map(|part| references(part, definitions)));
            });
            if used.reach(inner).contains(&place) {
                found.push((name.clone(), cost));
                break;
            }
        }
    }
    found
}

/// Returns the variants of an untagged enum. Of an `Option`, only one alternative is not null.
fn untagged(schema: &Json) -> Vec<&Json> {
    let mut variants: Vec<&Json> = schema
        .get("anyOf")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .collect();
    variants.retain(|schema| schema.get("type").and_then(Json::as_str) != Some("null"));
    if variants.len() > 1 {
        variants
    } else {
        Vec::new()
    }
}

/// Returns whether a schema leads to a definition with this name.
pub(super) fn leads_to(schema: &Json, name: &str, definitions: &Definitions) -> bool {
    let reached = References::new(definitions).reach(references(schema, definitions));
    let place = definitions.get_index_of(name);
    place.is_some_and(|place| reached.contains(&place))
}
