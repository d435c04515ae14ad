//! Views: what all schemas of one value say together.
//!
//! In go nodes of the tree, out comes a [`View`] of the value that they describe. A value may be described by many
//! nodes: the schema itself, the schema that it refers to, the parts of its `allOf`, and the only alternative beside
//! null. These are the layers of the view. Everything that is asked of a view is found from all layers, with the layer
//! that says it.
//!
//! ```text
//! {"$ref": "Dog"}                           the view of a parameter:
//! Dog:  {"allOf": [                           layers      the parameter, Dog, the part with `$ref`, Base,
//!           {"$ref": "Base"},                             and the part with `tricks`
//!           {"properties": {"tricks": …}}]}   kinds       object
//! Base: {"type": "object",                    properties  name (from Base), tricks (from Dog)
//!        "properties": {"name": …}}           names       Dog, the outermost shared schema
//! ```
//!
//! [`collect`] makes views, and [`SchemaViews`] caches them. [`unions`] finds which alternatives are left beside the
//! other layers, [`apart`] how these are told apart, and [`cases`] combines several unions. [`outline`] is the question
//! with which most readers begin, and the other files each find one more part of what layers say. For a property, a
//! reader asks for the view of the property's nodes, which is how it walks into a value; how far is its own to limit.
//!
//! A view is not certain where it could not read all: [`View::unread`] lists these parts, and without them it says too
//! little, and never too much. It checks no value, which is left to `schema/check`, and writes no text.
//!
//! The obvious way would be to merge the schemas of a value into one. A merged schema cannot tell which schema says
//! what, and `allOf` of two patterns or of two `additionalProperties` has no merged form.

mod annotations;
mod apart;
mod cases;
mod collect;
mod conditions;
mod elements;
mod facts;
mod literals;
mod model;
mod outline;
mod properties;
#[cfg(test)]
mod tests;
mod text;
mod unions;

pub use cases::Cases;
pub use conditions::Condition;
pub use elements::Elements;
pub use facts::Constraint;
pub use model::{
    Alternative, Difference, Label, Layer, ListedValue, SchemaViews, Union, Unread, View, node_ids,
};
pub use outline::Outline;
pub use properties::{OtherProperties, Property, PropertyLayer};
pub use text::TextKinds;
