//! Views combine all schemas of one value.
//!
//! Nodes of the tree come in, and a [`View`] of the value that they describe goes out. A value may be described by many
//! nodes: the schema itself, the schema that it refers to, the parts of its `allOf`, and an alternative that is the
//! only one possible. These are the layers of the view, the outermost first.
//!
//! ```text
//! {"$ref": "Dog"}                           the view of a parameter:
//! Dog:  {"allOf": [                           layers      the parameter, Dog, the part with `$ref`, Base,
//!           {"$ref": "Base"},                             and the part with `tricks`
//!           {"properties": {"tricks": …}}]}   kinds       object
//! Base: {"type": "object",                    properties  name (from Base), tricks (from Dog)
//!        "properties": {"name": …}}           names       Dog, the outermost shared schema
//!
//! nodes ─ SchemaViews::view, cached ─► collect ─► View { layers, kinds, listed, unions, unread }
//!                                      unions, apart ─► Union { alternatives, difference }
//! view.outline(), .properties(), .elements(), …      found from the layers, whenever a reader asks
//! view.choose(alternative), view.cases(10)           other views: the value as this alternative; as each combination
//! ```
//!
//! A view never changes: whatever more is known of a value makes another view. Most readers begin with its [`outline`],
//! and reach a member by the view of the member's nodes. Types may contain themselves, so each reader limits its depth.
//!
//! A broken reference, or a schema that leads back to itself, is listed in [`View::unread`]. Such a view accepts too
//! much, never too little. Values are checked by `schema/check`, and text is written by readers.
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
