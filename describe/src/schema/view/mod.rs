//! The view: what all schemas of one value say together.
//!
//! A value may be described by many nodes: the schema itself, what it refers to, the parts of its
//! `allOf`, and the only alternative beside null. [`View::layers`] are these nodes. Each fact is
//! found from all of them, and knows which of them says it. What the view cannot read, it names in
//! [`View::unread`]; a view with such parts says too little, and never too much.

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
