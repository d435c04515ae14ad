//! Descriptions of Rust types, from which services are built.
//!
//! They are plain data. `params` and `returns` find them, and
//! [`ComponentsBuilder`](super::ComponentsBuilder) merges the types that several of them share.

use indexmap::IndexMap;

use super::problem::SchemaProblem;
use crate::json::Json;
use crate::{ParamDescription, ReturnDescription};

/// The named types that schemas refer to as `#/components/schemas/{name}`, sorted by name.
pub type Definitions = IndexMap<String, Json>;

/// The direction of values. serde attributes can make the two directions of a type differ, so each
/// has its own schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// From the caller: parameters, which are deserialized.
    Input,
    /// To the caller: results and the data of errors, which are serialised.
    Output,
}

/// The way in which a procedure takes its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamsKind {
    /// No parameters.
    None,
    /// Named parameters, which also have positions unless they are by name only.
    Named,
    /// Any number of values by position.
    List,
}

/// The description of a parameters type.
#[derive(Debug, Clone)]
pub struct ParamsSchema {
    /// The way in which parameters are passed.
    pub kind: ParamsKind,
    /// The parameters in positional order.
    pub params: Vec<ParamDescription>,
    /// True if parameters must be passed by name, because a flattened field hides their order.
    pub by_name_only: bool,
    /// The documentation of the type, in Markdown.
    pub documentation: Option<String>,
    /// The types that the schemas of the parameters refer to.
    pub definitions: Definitions,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
    /// Problems that prevent a service from being built unless the procedure's author calls
    /// `unchecked`.
    pub doubts: Vec<SchemaProblem>,
    /// True for each parameter whose type may accept more than its schema allows, in the order of `params`. The
    /// whole schema of such a parameter has to be checked.
    pub loose: Vec<bool>,
    /// The generator's own schemas of the definitions that have been extended, because the generator does not
    /// know what serde rejects. [`ComponentsBuilder`](super::ComponentsBuilder) compares them with the type's
    /// schemas for output.
    pub generated: Definitions,
    /// Returns the definitions of the same type for output.
    /// [`ComponentsBuilder`](super::ComponentsBuilder) uses them to recognise a type with different
    /// schemas for input and output. This is a function, because most services never need it.
    pub as_output: fn() -> Definitions,
}

/// The description of a return type.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnSchema {
    /// The description.
    pub returns: ReturnDescription,
    /// The types that its schema refers to.
    pub definitions: Definitions,
}

/// The description of the type of an error's `data`.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSchema {
    /// The schema.
    pub schema: Json,
    /// The types that the schema refers to.
    pub definitions: Definitions,
}
