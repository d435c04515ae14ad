//! Parameters in the query of a GET.
//!
//! A query has texts only, so each value has to be of a kind that its text shows. `docent-core`
//! reads queries by the same rule.

use crate::ParamDescription;
use crate::json::{Json, Object};
use crate::render::schemas::{split_types, with_elements, without_null};
use crate::schema::{Kinds, View};

/// Returns the schema of the values of a parameter that a query can carry, or `None` if there are
/// none: scalars, and arrays of them, given by repeating the name.
pub(super) fn schema<'t>(param: &ParamDescription, view: &'t View<'t>) -> Option<Object> {
    let as_text = view.text_kinds();
    if as_text.is_empty() {
        return None;
    }
    let mut schema = match without_null(&param.schema) {
        Json::Object(members) if view.kinds.within(as_text.kinds) => members,
        Json::Bool(true) => Object::new().list("type", as_text.kinds.type_names()),
        other => Object::new()
            .list("allOf", [other])
            .list("type", as_text.kinds.type_names()),
    };
    let is_repeatable = as_text.kinds.meet(Kinds::ARRAY);
    if is_repeatable && !as_text.elements.within(Kinds::SCALARS) {
        schema = with_elements(schema, as_text.elements & Kinds::SCALARS);
    }
    // An empty array looks like one that is not supplied.
    if param.required && is_repeatable {
        schema.or_insert_with("minItems", || Json::from(1));
    }
    let default = param
        .default
        .as_ref()
        .filter(|default| Kinds::of_value(default).within(as_text.kinds));
    schema.shift_remove("default");
    Some(split_types(schema).maybe("default", default))
}
