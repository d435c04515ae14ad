//! The one model of a schema that everything on a page is made from: rows, signatures, forms, Markdown
//! and search. Nothing else reads a schema.
//!
//! [`Layers`] are all schemas that apply to a value, with what they say together: [`Layers::outline`]
//! finds what a reader would call the value's type, [`Layers::constraints`] what else is asked of it;
//! and [`Tree`] lists a value with all values in it. A test reads pages as their readers do, and compares
//! what they say with the compiled check.

mod constraint;
mod layers;
mod refs;
mod shape;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use constraint::Constraint;
pub(crate) use layers::{Layers, ObjectProperty, SchemaUnion};
pub(crate) use refs::{SharedSchemas, collect_refs, text_of};
pub(crate) use shape::{AllowedValue, Outline, SchemaShape, stated_outline};
pub(crate) use tree::{Tree, TreeEntry};
