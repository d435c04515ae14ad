//! Finds types that contain themselves in ways that are expensive to decode.
//!
//! serde decodes an untagged enum by trying its variants one after the other, each on a copy of the
//! value. If a variant contains the enum again, every level of nesting multiplies the attempts of
//! the levels above it: an invalid value of a few hundred bytes takes minutes. Maps and tagged
//! enums that are flattened are copied too, but only once for each level: 2 MiB take seconds.
//! Recursion through tags, options and flattened structs moves values, and its cost is linear in
//! their length.

use std::iter;

use super::Definitions;
use super::keyword::{Holds, holds};
use super::references::{References, references};
use crate::json::Json;

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
    if schema.get("type").and_then(Json::as_str) != Some("object") {
        return flattened;
    }
    if schema.get("properties").is_some() {
        flattened.extend(schema.get("additionalProperties"));
        flattened.extend(schema.get("unevaluatedProperties"));
        if let Some(Json::Object(named)) = schema.get("patternProperties") {
            flattened.extend(named.values());
        }
    }
    let several = schema.get("allOf").and_then(Json::as_array);
    for schema in iter::once(schema).chain(several.unwrap_or_default()) {
        let alternatives = schema.get("oneOf").and_then(Json::as_array);
        let alternatives = alternatives.unwrap_or_default().iter();
        flattened.extend(alternatives.filter(|it| has_tag(it)));
    }
    flattened
}

/// Returns whether a property distinguishes an alternative from others.
fn has_tag(alternative: &Json) -> bool {
    let properties = alternative.get("properties").and_then(Json::as_object);
    let mut properties = properties.into_iter().flat_map(|all| all.values());
    properties.any(|schema| schema.get("const").is_some())
}

/// Returns the names of the types that contain themselves in an expensive way.
///
/// An untagged enum is described with `anyOf`, and so is an `Option`. `titled` has the same
/// definitions from a generator that adds the names of untagged variants as titles. If the two
/// differ, the enum is untagged. So is every `anyOf` with more than one alternative beside null.
pub(super) fn expensive(definitions: &Definitions, titled: &Definitions) -> Vec<(String, Cost)> {
    let used = References::new(definitions);
    let mut found = Vec::new();
    for (place, (name, schema)) in definitions.iter().enumerate() {
        let titled = titled.get(name).unwrap_or(schema);
        for cost in [Cost::Retried, Cost::Copied] {
            let mut inner = Vec::new();
            collect(schema, titled, &mut |schema, found| {
                if found == cost {
                    inner.extend(references(schema, definitions));
                }
            });
            if used.reach(inner).contains(&place) {
                found.push((name.clone(), cost));
                break;
            }
        }
    }
    found
}

/// Returns whether a schema leads to a definition with this name.
pub(super) fn leads_to(schema: &Json, name: &str, definitions: &Definitions) -> bool {
    let reached = References::new(definitions).reach(references(schema, definitions));
    let place = definitions.get_index_of(name);
    place.is_some_and(|place| reached.contains(&place))
}

/// Visits the alternatives of untagged enums and the flattened parts, anywhere in a schema.
fn collect<'j>(schema: &'j Json, titled: &'j Json, visit: &mut impl FnMut(&'j Json, Cost)) {
    let (Json::Object(members), Json::Object(titled)) = (schema, titled) else {
        return;
    };
    for schema in flattened(schema) {
        visit(schema, Cost::Copied);
    }
    for (keyword, value) in members {
        let Some(titled) = titled.get(keyword) else {
            continue;
        };
        match (holds(keyword), value, titled) {
            (Holds::Schema | Holds::Schemas, Json::Array(schemas), Json::Array(titled)) => {
                if keyword == "anyOf" && is_untagged(schemas, titled) {
                    for schema in schemas {
                        visit(schema, Cost::Retried);
                    }
                }
                for (schema, titled) in schemas.iter().zip(titled) {
                    collect(schema, titled, visit);
                }
            }
            (Holds::Schema, schema, titled) => collect(schema, titled, visit),
            (Holds::Named, Json::Object(schemas), Json::Object(titled)) => {
                for (name, schema) in schemas {
                    if let Some(titled) = titled.get(name) {
                        collect(schema, titled, visit);
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_untagged(alternatives: &[Json], titled: &[Json]) -> bool {
    let is_null = |schema: &&Json| schema.get("type").and_then(Json::as_str) == Some("null");
    let beside_null = alternatives.iter().filter(|schema| !is_null(schema));
    let named = |(schema, titled): (&Json, &Json)| schema.get("title") != titled.get("title");
    beside_null.count() > 1 || alternatives.iter().zip(titled).any(named)
}
