//! Describes Rust types, and interprets schemas. Nothing outside this folder does.
//!
//! A type that derives serde's traits and `schemars::JsonSchema` provides almost everything that a description needs.
//! `generate` gets names, types and documentation from schemars; `params` and `trial` get the order of the
//! fields from serde, and the values that it really decodes. If the two contradict each other, no correct description
//! exists, and the result is a [`SchemaProblem`]. Each type is described by a generator of its own, once for input and once for output,
//! and refers to the types inside it by name. [`ComponentsBuilder`] collects the types that the procedures of a service
//! use, and finds different types with the same name.
//!
//! ```text
//! #[derive(Deserialize, JsonSchema)]           {"type": "object", "properties":
//! struct Book { #[serde(default)] pages: u16 }   {"pages": {"type": "integer", "minimum": 0, "maximum": 65535}}}
//! ```
//!
//! A schema, from a type or from a document, is read once:
//!
//! 1. `keyword`, `kinds` and `format` are tables of all keywords, types and formats.
//! 2. `tree` has a [`Node`] for each schema, as it is written, with typed keywords.
//! 3. `view` combines all nodes that are about one value: a [`View`], from which pages, clients and comparisons are made.
//! 4. `check` enforces a schema at each call. `valid` applies it to single values, and `broken` to the examples of a
//!    description. `example` and `variation` make values.
//!
//! The obvious way would be to walk over the JSON of a schema wherever one is needed. Each walk would then
//! follow references, `allOf` and nullable alternatives by rules of its own, and a page would say something else than
//! the check enforces.

mod accepted;
mod bounds;
mod broken;
mod canonical;
pub mod check;
pub(crate) mod component_names;
mod components;
mod constraints;
mod context;
mod defaults;
mod example;
mod expected;
mod extension;
pub mod facts;
mod format;
mod generate;
pub(crate) mod keyword;
mod kinds;
mod limits;
mod names;
mod params;
mod problem;
mod publish;
mod range;
mod recursion;
mod references;
mod returns;
mod texts;
mod tree;
mod trial;
mod type_code;
mod type_schemas;
mod valid;
#[cfg(feature = "variations")]
mod variation;
mod view;

pub use bounds::is_numeric_format;
pub use component_names::{
    COMPONENTS_PREFIX, component_entered, component_name, component_reference, decoded_name,
};
pub use components::{ComponentsBuilder, SharedComponents, TypeClash};
pub use context::SchemaContext;
pub use example::Examples;
pub use expected::KeywordValue;
pub(crate) use format::has_scheme;
pub use format::{Format, is_uri};
pub(crate) use keyword::for_each_reference;
pub use keyword::{
    KeywordRole, Narrowing, all_keywords, all_of, constrains, for_each_schema, holds, is_keyword,
    kinds_about, role,
};
pub use kinds::{AcceptedKinds, Kinds};
pub use params::params_of;
pub use problem::SchemaProblem;
pub use publish::{FORMAT_EXTENSION, publish};
pub use range::{Bound, IntegerRange, NumberBounds};
pub(crate) use references::used;
pub use references::{ReferenceGraph, all_references, references};
pub use returns::{data_of, return_of};
pub use texts::text_matching;
pub use tree::{
    Annotations, ArrayKeywords, Discriminator, IfKeyword, Node, NodeId, NumberKeywords,
    ObjectKeywords, Part, PartName, PropertyTest, Reference, SchemaTree, Span, StringKeywords,
    Target, UnionKeyword, UnionRule,
};
pub use trial::value_of_type;
pub use type_code::type_code;
pub use type_schemas::{DataSchema, Definitions, ParamsKind, ParamsSchema, ReturnSchema, Side};
pub use valid::Validator;
#[cfg(feature = "variations")]
pub use variation::variations;
pub use view::{
    Alternative, Cases, Condition, Constraint, Difference, Elements, Label, Layer, ListedValue,
    OtherProperties, Outline, Property, PropertyLayer, SchemaViews, TextKinds, Union, Unread, View,
    node_ids,
};
