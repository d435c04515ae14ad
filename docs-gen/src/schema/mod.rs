//! JSON Schema as people read it.

mod alternatives;
mod example;
mod facts;
mod refs;
mod shape;
mod tree;
mod words;

pub(crate) use example::example;
pub(crate) use refs::{collect as collect_refs, component_name};
pub(crate) use shape::{Shape, shape};
pub(crate) use tree::{Row, Slot, Tree};
pub(crate) use words::words;

use docent_describe::json::Json;
use indexmap::IndexMap;

/// The schemas that a service shares, by name.
pub(crate) type Shared = IndexMap<String, Json>;

/// A member of a schema that is text, where it is.
fn text_of<'j>(schema: &'j Json, member: &str) -> Option<&'j str> {
    schema
        .get(member)
        .and_then(Json::as_str)
        .filter(|text| !text.trim().is_empty())
}

/// The schema itself, or what its reference leads to, through references to references.
pub(crate) fn resolve<'j>(shared: &'j Shared, mut schema: &'j Json) -> &'j Json {
    // A chain of references may be a circle; no honest one is longer than this.
    for _ in 0..16 {
        match component_name(schema).and_then(|name| shared.get(name.as_ref())) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}
