//! Describes the types of results and of the data of errors.
//!
//! Values that a service sends are not decoded by it, so nothing is tried here: the generator's
//! schema is the description. The types of parameters are described in `params`.

use schemars::{JsonSchema, SchemaGenerator};

use super::canonical::{self, objectified};
use super::generate::{GeneratedSchema, SchemaRequest, generate};
use super::problem::SchemaProblem;
use super::type_code::type_code;
use super::type_schemas::{DataSchema, ReturnSchema, Side};
use crate::ReturnDescription;

/// Describes the result of a procedure whose handler returns an `R`.
///
/// ```
/// use docent_describe::TypeCode;
/// use docent_describe::schema::return_of;
///
/// let schema = return_of::<Vec<String>>().unwrap();
/// assert_eq!(schema.returns.type_code, TypeCode::Arr);
/// ```
///
/// # Errors
/// A problem for each name that two types have, among `R` and the types inside it.
pub fn return_of<R: JsonSchema>() -> Result<ReturnSchema, Vec<SchemaProblem>> {
    let DataSchema {
        schema,
        definitions,
    } = checked_output(SchemaGenerator::subschema_for::<R>)?;
    Ok(ReturnSchema {
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
/// A problem for each name that two types have, among `D` and the types inside it.
pub fn data_of<D: JsonSchema>() -> Result<DataSchema, Vec<SchemaProblem>> {
    checked_output(SchemaGenerator::subschema_for::<D>)
}

/// Describes a type for output, even if it has problems.
pub(super) fn output(request: SchemaRequest) -> DataSchema {
    data_schema(&generate(request, Side::Output))
}

/// Describes a type for output.
///
/// # Errors
/// All problems with the names and defaults of the types.
fn checked_output(request: SchemaRequest) -> Result<DataSchema, Vec<SchemaProblem>> {
    let generated = generate(request, Side::Output);
    let problems = generated.problems(request, Side::Output);
    if problems.is_empty() {
        Ok(data_schema(&generated))
    } else {
        Err(problems)
    }
}

/// Brings a generated schema into canonical order.
fn data_schema(generated: &GeneratedSchema) -> DataSchema {
    DataSchema {
        schema: objectified(canonical::schema(&generated.schema, None)),
        definitions: generated.definitions(None),
    }
}
