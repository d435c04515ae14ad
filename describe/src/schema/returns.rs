//! Describes the types of results and of the data of errors.
//!
//! Values that a service sends are not decoded by it, so nothing is tried here: the generator's
//! schema is the description. The types of parameters are described in `params`.

use schemars::{JsonSchema, SchemaGenerator};

use super::canonical::{self, objectified};
use super::generate::{GeneratedSchema, SchemaRequest, generate};
use super::problem::ShapeProblem;
use super::shape::{DataShape, Definitions, ReturnShape, Side};
use super::type_code::type_code;
use crate::ReturnDescription;
use crate::json::Json;

/// Describes the result of a procedure whose handler returns an `R`.
///
/// ```
/// use docent_describe::TypeCode;
/// use docent_describe::schema::return_of;
///
/// let shape = return_of::<Vec<String>>().unwrap();
/// assert_eq!(shape.returns.type_code, TypeCode::Arr);
/// ```
///
/// # Errors
/// A problem for each name that two of `R` and the types inside it share.
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
/// A problem for each name that two of `D` and the types inside it share.
pub fn data_of<D: JsonSchema>() -> Result<DataShape, Vec<ShapeProblem>> {
    let (schema, definitions) = checked_output(SchemaGenerator::subschema_for::<D>)?;
    Ok(DataShape {
        schema,
        definitions,
    })
}

/// Returns the schema and the definitions of a type for output, even if it has problems.
pub(super) fn output(request: SchemaRequest) -> (Json, Definitions) {
    schema_and_definitions(&generate(request, Side::Output))
}

/// Returns the schema and the definitions of a type for output.
///
/// # Errors
/// All problems with the names and defaults of the types.
fn checked_output(request: SchemaRequest) -> Result<(Json, Definitions), Vec<ShapeProblem>> {
    let generated = generate(request, Side::Output);
    let problems = generated.problems(request, Side::Output);
    if problems.is_empty() {
        Ok(schema_and_definitions(&generated))
    } else {
        Err(problems)
    }
}

/// Returns what was generated in canonical order.
fn schema_and_definitions(generated: &GeneratedSchema) -> (Json, Definitions) {
    let schema = canonical::schema(&generated.schema, None);
    (objectified(schema), generated.definitions(None))
}
