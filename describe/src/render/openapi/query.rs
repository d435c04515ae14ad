//! Parameters in the query of a GET.

use crate::json::{Json, Object};
use crate::render::schemas::{all_of, with_elements, without_null};
use crate::schema::{Kinds, SchemaViews, View};
use crate::{ParamDescription, ServiceDescription};

/// The maximum number of combinations of alternatives that are told apart.
const MAX_CASES: usize = 256;

/// Returns the kinds that text can stand for.
pub(super) fn scalars() -> Kinds {
    Kinds::BOOLEAN | Kinds::NUMBER | Kinds::STRING
}

/// Returns the schema of the values of a parameter that a query can carry, or `None` if there are
/// none: scalars, and arrays of them, given by repeating the name.
pub(super) fn schema(param: &ParamDescription, service: &ServiceDescription) -> Option<Object> {
    let given = without_null(&param.schema);
    let views = SchemaViews::new(service);
    let view = views.of(&param.schema);
    let kinds = view.kinds;
    let elements = elements(view);
    let scalars = scalars();
    let can_repeat = kinds.meet(Kinds::ARRAY) && elements.meet(scalars);
    let arrays = if can_repeat {
        Kinds::ARRAY
    } else {
        Kinds::NONE
    };
    let sent = (kinds & scalars) | arrays;
    if sent == Kinds::NONE {
        return None;
    }
    let mut schema = match given {
        Json::Object(members) if kinds.within(sent) => members,
        Json::Bool(true) => Object::new().list("type", sent.words()),
        given => all_of([given]).list("type", sent.words()),
    };
    if can_repeat && !elements.within(scalars) {
        schema = with_elements(schema, elements & scalars);
    }
    // An empty array cannot be told from one that is not supplied.
    if param.required && can_repeat {
        schema.or_insert_with("minItems", || Json::from(1));
    }
    let default = param
        .default
        .as_ref()
        .filter(|it| Kinds::of(it).within(sent));
    schema.shift_remove("default");
    Some(schema.maybe("default", default))
}

/// Returns whether empty text means that a parameter is not supplied, because no text is a value of it.
pub(super) fn can_be_empty(param: &ParamDescription, service: &ServiceDescription) -> bool {
    let views = SchemaViews::new(service);
    let view = views.of(&param.schema);
    let can_be_absent = !param.required || view.takes_null != Some(false);
    let is_text = |case: &&View<'_>| match &case.listed {
        Some(values) => values
            .iter()
            .any(|listed| listed.value.as_str() == Some("")),
        None => case.kinds.meet(Kinds::STRING),
    };
    can_be_absent && !view.first_cases(MAX_CASES).views.iter().any(is_text)
}

/// Returns the kinds of the elements of arrays that are accepted.
fn elements<'t>(view: &'t View<'t>) -> Kinds {
    let arrays = view
        .first_cases(MAX_CASES)
        .views
        .into_iter()
        .filter(|case| case.kinds.meet(Kinds::ARRAY));
    let nodes = arrays.flat_map(|case| {
        let elements = case.elements();
        let rest = (!elements.is_closed()).then_some(elements.rest);
        elements.places.into_iter().chain(rest)
    });
    Kinds::any(nodes.map(|nodes| view.views.view(&nodes).all_kinds()))
}
