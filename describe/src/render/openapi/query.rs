//! Parameters in the query of a GET.
//!
//! A query has texts only, so each value has to be of a kind that its text tells. `docent-core`
//! reads queries by the same rule.

use crate::ParamDescription;
use crate::json::{Json, Object};
use crate::render::schemas::{split_types, with_elements, without_null};
use crate::schema::{Kinds, View};

/// Returns the schema of the values of a parameter that a query can carry, or `None` if there are
/// none: scalars, and arrays of them, given by repeating the name.
pub(super) fn schema<'t>(param: &ParamDescription, view: &'t View<'t>) -> Option<Object> {
    let narrowed = without_null(&param.schema);
    let text = view.text_kinds();
    let sent = text.kinds;
    if text.is_empty() {
        return None;
    }
    let can_repeat = sent.meet(Kinds::ARRAY);
    let mut schema = match narrowed {
        Json::Object(members) if view.kinds.within(sent) => members,
        Json::Bool(true) => Object::new().list("type", sent.type_names()),
        other => Object::new()
            .list("allOf", [other])
            .list("type", sent.type_names()),
    };
    if can_repeat && !text.elements.within(Kinds::SCALARS) {
        schema = with_elements(schema, text.elements & Kinds::SCALARS);
    }
    // An empty array cannot be told from one that is not supplied.
    if param.required && can_repeat {
        schema.or_insert_with("minItems", || Json::from(1));
    }
    let default = param
        .default
        .as_ref()
        .filter(|default| Kinds::of_value(default).within(sent));
    schema.shift_remove("default");
    Some(split_types(schema).maybe("default", default))
}
