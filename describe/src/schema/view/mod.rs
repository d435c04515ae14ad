//! Views combine all schemas of one value.
//!
//! In go nodes of the tree, out comes a [`View`] of the value that they describe. A value may be described by many
//! nodes: the schema itself, the schema that it refers to, the parts of its `allOf`, and the only alternative beside
//! null. These are the layers of the view. Its kinds, properties, elements and bounds are found from all of them, each
//! with the layer that it comes from.
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
//! [`collect`] makes views, and [`SchemaViews`] caches them. [`unions`] finds the alternatives that are left beside the
//! other layers, [`apart`] the differences between these, and [`cases`] combines several unions. Most readers begin with
//! the [`outline`] of a value. The other files each combine one group of keywords. To walk into a value, a reader makes
//! the view of a property's nodes, and limits itself how far it goes.
//!
//! Parts that could not be read are listed in [`View::unread`]. Without them, a view has too few constraints, and never
//! too many. It checks no value, which is left to `schema/check`, and writes no text.
//!
//! The obvious way would be to merge the schemas of a value into one. A merged schema has lost where each constraint
//! comes from, and `allOf` of two patterns or of two `additionalProperties` has no merged form.

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
#[cfg(feature = "tools")]
mod possible;
mod properties;
mod tag;
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
