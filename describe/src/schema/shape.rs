use indexmap::IndexMap;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::generate::{self, Ask};
use super::params::{Params, assemble};
use super::{ShapeProblem, canonical, probe::probe, trial, type_code};
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
#[derive(Debug, Clone, PartialEq)]
pub struct Decoding {
    /// Whether the type may take values that the schema does not allow, so that all of the schema
    /// has to be checked.
    pub loose: bool,
    /// Whether some of it is decoded from a buffer, as untagged and internally tagged enums and
    /// what is flattened are.
    pub buffered: bool,
    /// A value that the type takes, where one was found.
    pub sample: Option<Json>,
    /// Where the parameter belongs to a flattened struct, so that serde decodes it when it has seen
    /// all of them: how many parameters serde misses, were they not there, before it decodes this
    /// one. What is decoded later has a greater number.
    pub flattened: Option<usize>,
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

/// Describes the parameters of a procedure whose parameters type is `P`.
///
/// `()` and unit structs are no parameters; the fields of a struct are named parameters; a `Vec` or
/// another sequence of any length is one variadic parameter named `values`.
///
/// # Errors
/// Everything that keeps `P` from being described truthfully, all of it at once.
pub fn params_of<P: DeserializeOwned + JsonSchema>() -> Result<ParamsShape, Vec<ShapeProblem>> {
    assemble(&Params {
        type_name: std::any::type_name::<P>(),
        schema_name: P::schema_name,
        schema_id: P::schema_id,
        probed: probe::<P>(),
        decode: trial::decode::<P>,
        ask: SchemaGenerator::root_schema_for::<P>,
        as_output: || output(SchemaGenerator::subschema_for::<P>).1,
    })
}

/// Describes what a procedure answers whose handler gives an `R`.
///
/// # Errors
/// Names that `R` and the types inside it share with each other.
pub fn return_of<R: JsonSchema>() -> Result<ReturnShape, Vec<ShapeProblem>> {
    let (schema, definitions) = checked_output(SchemaGenerator::subschema_for::<R>)?;
    Ok(ReturnShape {
        returns: ReturnDescription {
            type_code: type_code(&schema, &definitions),
            schema,
            ..ReturnDescription::default()
        },
        definitions,
    })
}

/// Describes the `data` of an error.
///
/// # Errors
/// Names that `D` and the types inside it share with each other.
pub fn data_of<D: JsonSchema>() -> Result<DataShape, Vec<ShapeProblem>> {
    let (schema, definitions) = checked_output(SchemaGenerator::subschema_for::<D>)?;
    Ok(DataShape {
        schema,
        definitions,
    })
}

fn output(ask: Ask) -> (Json, Definitions) {
    let run = generate::run(ask, Side::Output);
    (whole(&run), run.definitions(None))
}

fn checked_output(ask: Ask) -> Result<(Json, Definitions), Vec<ShapeProblem>> {
    let run = generate::run(ask, Side::Output);
    let clashes = run.clashes(ask, Side::Output).into_iter();
    let clashes = clashes.map(|name| ShapeProblem::NameClash { name });
    let problems: Vec<ShapeProblem> = clashes.chain(run.unsteady(ask, Side::Output)).collect();
    if problems.is_empty() {
        Ok((whole(&run), run.definitions(None)))
    } else {
        Err(problems)
    }
}

fn whole(run: &generate::Run) -> Json {
    objectified(canonical::schema(&run.schema, None))
}

/// `true` and `{}` say the same; the formats that a description is rendered to prefer an object.
pub(super) fn objectified(schema: Json) -> Json {
    match schema {
        Json::Bool(true) => Json::Object(crate::json::Object::new()),
        schema => schema,
    }
}
