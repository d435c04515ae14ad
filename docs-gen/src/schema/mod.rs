//! JSON Schema as people read it.

mod alternatives;
mod example;
mod refs;
mod shape;

pub(crate) use alternatives::{label, told_apart};
pub(crate) use example::example;
pub(crate) use refs::{Shared, collect as collect_refs, component_name, resolve, text_of};
pub(crate) use shape::{Outline, Shape, Value, shape};
