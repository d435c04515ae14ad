//! The schemas about one value, as schemars writes references and `Option`.
//!
//! Constraints are restored before a schema is read, so this follows JSON and not nodes.

use crate::json::{Json, Object};
use crate::schema::component_names::resolve;
use crate::schema::type_schemas::Definitions;

/// Returns the schemas about a value that is not null, the outermost first: a schema, and those
/// that it leads to by references and as an `Option`.
pub(super) fn layers<'j>(schema: &'j Json, definitions: &'j Definitions) -> Vec<&'j Object> {
    let mut layers = Vec::new();
    let mut next = Some(schema);
    while let Some(Json::Object(members)) = next
        // A type that leads back to itself is followed no more often than there are types.
        && layers.len() <= 2 * definitions.len() + 1
    {
        layers.push(members);
        next = match members.get_str("$ref") {
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
pub(super) fn present_mut(schema: &mut Object) -> Option<&mut Json> {
    match schema.get_mut("anyOf") {
        Some(Json::Array(branches)) => match &mut branches[..] {
            [present, null] if is_null(null) => Some(present),
            _ => None,
        },
        _ => None,
    }
}

fn is_null(schema: &Json) -> bool {
    schema.get_str("type") == Some("null")
}
