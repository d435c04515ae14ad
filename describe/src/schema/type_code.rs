//! Derives the type of JSON-RPC 1.1 from a schema.

use indexmap::IndexMap;

use super::accepted::accepted;
use super::kinds::{AcceptedKinds, Kinds};
use crate::TypeCode;
use crate::json::Json;

/// Returns the type of a schema's values in the terms of JSON-RPC 1.1, section 10.2.1.
///
/// Integers and numbers are `num`. A nullable type has the type of its other branch. References
/// into `components` are followed. A mixture is `any`. A type that is only null is `nil`, which the
/// draft allows for returns only: for a parameter it means `any`.
pub fn type_code(schema: &Json, components: &IndexMap<String, Json>) -> TypeCode {
    code_of(accepted(schema, components))
}

/// Returns the type of values of these kinds.
pub(super) fn code_of(kinds: AcceptedKinds) -> TypeCode {
    match kinds.some.without(Kinds::NULL) {
        Kinds::BOOLEAN => TypeCode::Bit,
        number if number != Kinds::NONE && number.within(Kinds::NUMBER) => TypeCode::Num,
        Kinds::STRING => TypeCode::Str,
        Kinds::ARRAY => TypeCode::Arr,
        Kinds::OBJECT => TypeCode::Obj,
        Kinds::NONE if kinds.takes_null() == Some(true) => TypeCode::Nil,
        _ => TypeCode::Any,
    }
}
