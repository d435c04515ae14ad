//! The one model of a schema that everything on a page is made from: rows, signatures, forms, Markdown
//! and search. Nothing else reads a schema.
//!
//! [`Layers`] are all schemas that apply to a value, with what they say together; [`outline`] finds
//! what a reader would call the value's type, [`constraints`] what else is asked of it; and [`Tree`]
//! lists a value with all values in it.

mod constraint;
mod layers;
mod refs;
mod shape;
mod tree;

pub(crate) use constraint::Constraint;
pub(crate) use layers::{Layers, ObjectProperty, SchemaUnion};
pub(crate) use refs::{SharedSchemas, collect_refs, example, text_of};
pub(crate) use shape::{AllowedValue, Outline, SchemaShape, outline, own_outline, shape};
pub(crate) use tree::{Tree, TreeEntry};
