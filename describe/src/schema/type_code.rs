//! Derives the type of JSON-RPC 1.1 from a schema.
//!
//! Version 1.1 knows seven types and no schemas. `system.describe` states one for each parameter
//! and result, for information only.

use indexmap::IndexMap;

use super::accepted::accepted;
use super::context::SchemaContext;
use super::kinds::Kinds;
use super::view::SchemaViews;
use crate::TypeCode;
use crate::json::Json;

/// Returns the type of a schema's values in the terms of JSON-RPC 1.1, section 10.2.1.
///
/// Integers and numbers are `num`. A nullable type has the type of its other branch. References
/// into `components` are followed. A mixture is `any`. A type that is only null is `nil`, which the
/// draft allows for returns only: for a parameter it means `any`.
///
/// ```
/// use docent_describe::TypeCode;
/// use docent_describe::json::Json;
/// use docent_describe::schema::type_code;
///
/// let components = indexmap::IndexMap::new();
/// let nullable: Json = r#"{"type": ["integer", "null"]}"#.parse()?;
/// let mixed: Json = r#"{"type": ["integer", "string"]}"#.parse()?;
/// assert_eq!(type_code(&nullable, &components), TypeCode::Num);
/// assert_eq!(type_code(&mixed, &components), TypeCode::Any);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
pub fn type_code(schema: &Json, components: &IndexMap<String, Json>) -> TypeCode {
    let kinds = accepted(schema, components);
    let code = code_of(kinds.some, kinds.takes_null());
    if code != TypeCode::Any || kinds.some == Kinds::ALL {
        return code;
    }
    // Of a mixture, only the view knows which of the listed values the other keywords refuse.
    let views = SchemaViews::new(SchemaContext::new(components, None));
    let view = views.view_of_schema(schema);
    code_of(view.kinds, view.takes_null)
}

/// Returns the type of values of these kinds.
fn code_of(kinds: Kinds, takes_null: Option<bool>) -> TypeCode {
    match kinds.without(Kinds::NULL) {
        Kinds::BOOLEAN => TypeCode::Bit,
        number if number != Kinds::NONE && number.within(Kinds::NUMBER) => TypeCode::Num,
        Kinds::STRING => TypeCode::Str,
        Kinds::ARRAY => TypeCode::Arr,
        Kinds::OBJECT => TypeCode::Obj,
        Kinds::NONE if takes_null == Some(true) => TypeCode::Nil,
        _ => TypeCode::Any,
    }
}
