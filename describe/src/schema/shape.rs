//! What a type says of itself.

use indexmap::IndexMap;

use super::problem::ShapeProblem;
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

/// How a procedure takes its parameters.
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
pub struct ParamsShape {
    /// How parameters are passed.
    pub kind: ParamsKind,
    /// The parameters in positional order.
    pub params: Vec<ParamDescription>,
    /// Whether parameters must be passed by name, because a flattened field hides their order.
    pub by_name_only: bool,
    /// The documentation of the type, in Markdown.
    pub documentation: Option<String>,
    /// The types that the schemas of the parameters refer to.
    pub definitions: Definitions,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
    /// What keeps a service from being built unless the procedure's author answers for it.
    pub doubts: Vec<ShapeProblem>,
    /// How each parameter is decoded, in the order of `params`.
    pub decoding: Vec<Decoding>,
    /// What the generator made of those definitions that have been made to say more, since it knows
    /// nothing of what serde refuses. They show
    /// [`ComponentsBuilder`](super::ComponentsBuilder) what a type looks like where it is given.
    pub generated: Definitions,
    /// The definitions of the same type, were it given rather than taken. They show
    /// [`ComponentsBuilder`](super::ComponentsBuilder) that a type with one name and two schemas
    /// is still one type. A function, because most services never ask.
    pub as_output: fn() -> Definitions,
}

/// How a parameter's type decodes what its schema describes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decoding {
    /// Whether the type may take values that the schema does not allow, so that all of the schema
    /// has to be checked.
    pub loose: bool,
    /// Whether some of it is decoded from a buffer, as untagged and internally tagged enums and
    /// what is flattened are.
    pub buffered: bool,
    /// A value that the type takes, where one was found.
    pub sample: Option<Json>,
    /// Whether the type takes all [candidates](super::candidates) of the schema, and decodes them
    /// where they stand. Binding them would then show nothing new.
    pub settled: bool,
    /// Values with a number that the type takes for infinity: single precision cannot hold it, and
    /// from a buffer serde does not refuse it.
    pub infinite: Vec<Json>,
}

/// What a return type says.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnShape {
    /// The description.
    pub returns: ReturnDescription,
    /// What its schema refers to.
    pub definitions: Definitions,
}

/// What the type of an error's `data` says.
#[derive(Debug, Clone, PartialEq)]
pub struct DataShape {
    /// The schema.
    pub schema: Json,
    /// What it refers to.
    pub definitions: Definitions,
}
