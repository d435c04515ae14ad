//! Describes the types of results and of the data of errors.

use schemars::{JsonSchema, SchemaGenerator};

use super::canonical::{self, objectified};
use super::generate::{self, SchemaRequest};
use super::problem::ShapeProblem;
use super::shape::{DataShape, Definitions, ReturnShape, Side};
use super::type_code::type_code;
use crate::ReturnDescription;
use crate::json::Json;

/// Describes the result of a procedure whose handler returns an `R`.
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
pub(super) fn output(ask: SchemaRequest) -> (Json, Definitions) {
    let run = generate::run(ask, Side::Output);
    (whole(&run), run.definitions(None))
}

fn checked_output(ask: SchemaRequest) -> Result<(Json, Definitions), Vec<ShapeProblem>> {
    let run = generate::run(ask, Side::Output);
    let problems = run.problems(ask, Side::Output);
    if problems.is_empty() {
        Ok((whole(&run), run.definitions(None)))
    } else {
        Err(problems)
    }
}

fn whole(run: &generate::Run) -> Json {
    objectified(canonical::schema(&run.schema, None))
}
