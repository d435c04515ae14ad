//! Constraints that the generator drops, put back.
//!
//! schemars writes `#[schemars(length(max = 3))]` of a field into the field's schema if that has
//! `"type": "string"` or `"type": "array"`, and ignores it otherwise. A field whose type has a name is
//! only a `$ref`, so its constraint would be neither published nor enforced. It is found in two ways,
//! and written beside the `$ref`:
//!
//! - `fields` generates the schemas of a type once more with every type where it is used, so that the
//!   generator does apply the attributes, and compares the two.
//! - `arguments` reads what `#[procedure]` notes of the attributes of an argument. It also finds
//!   constraints of types whose schema has no `type`, and those that can have no effect.

mod arguments;
mod fields;

pub(super) use arguments::constrain_arguments;
pub(super) use fields::restore;

use super::component_names::resolve;
use super::type_schemas::Definitions;
use crate::json::{Json, Object};

/// Returns the schemas that speak of a value that is not null, the outermost first: a schema, and those
/// that it leads to by references and as an `Option`.
fn layers<'j>(schema: &'j Json, definitions: &'j Definitions) -> Vec<&'j Object> {
    let mut layers = Vec::new();
    let mut next = Some(schema);
    while let Some(Json::Object(members)) = next
        // A type that leads back to itself is followed no more often than there are types.
        && layers.len() <= 2 * definitions.len() + 1
    {
        layers.push(members);
        next = match members.get("$ref").and_then(Json::as_str) {
            Some(reference) => resolve(reference, definitions),
            None => present(members),
        };
    }
    layers
}

/// Returns the branch for a value in the schema of an `Option` of a named type.
fn present(schema: &Object) -> Option<&Json> {
    match schema.get("anyOf")?.as_array()? {
        [present, null] if is_null(null) => Some(present),
        _ => None,
    }
}

/// Returns the same branch, to change it.
fn present_mut(schema: &mut Object) -> Option<&mut Json> {
    match schema.get_mut("anyOf") {
        Some(Json::Array(branches)) => match &mut branches[..] {
            [present, null] if is_null(null) => Some(present),
            _ => None,
        },
        _ => None,
    }
}

fn is_null(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("null")
}
