//! JSON Schema in the form in which people read it.

mod alternatives;
mod layers;
mod refs;
mod shape;

use docent_describe::json::Json;
use docent_describe::schema::Examples;

pub(crate) use alternatives::{label, told_apart};
pub(crate) use layers::{Layers, is_null, list};
pub(crate) use refs::{Shared, collect as collect_refs, component_name, resolve, text_of};
pub(crate) use shape::{Outline, Shape, Value, by_type, in_list, shape};

/// Creates a value that satisfies a schema. Returns `None` if none is found.
pub(crate) fn example(shared: &Shared, schema: &Json) -> Option<Json> {
    Examples::new(shared).of(schema)
}
