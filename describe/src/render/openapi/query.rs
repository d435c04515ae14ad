//! Parameters in the query of a GET.

use crate::json::{Json, Object};
use crate::schema::{Kinds, SchemaContext, SchemaViews, View};
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
    let views = SchemaViews::new(SchemaContext::of(service));
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
        given => Object::new()
            .list("allOf", [given])
            .list("type", sent.words()),
    };
    if can_repeat && !elements.within(scalars) {
        let items = Object::new().list("type", (elements & scalars).words());
        if schema.contains_key("items") || schema.contains_key("prefixItems") {
            schema = Object::new().list("allOf", [schema]);
        }
        schema.insert("items", Json::from(items));
    }
    // An empty array cannot be told from one that is not supplied.
    if param.required && can_repeat && schema.get("minItems").is_none() {
        schema.insert("minItems", Json::from(1));
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
    let views = SchemaViews::new(SchemaContext::of(service));
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

/// Returns a schema without the null that it allows beside other values. A query says it by leaving
/// the parameter out.
fn without_null(schema: &Json) -> Json {
    let mut schema = schema.clone();
    let Json::Object(members) = &mut schema else {
        return schema;
    };
    let is_alone = members.len() == 1;
    let is_word = |value: &Json| value.as_str() == Some("null");
    for keyword in ["type", "enum", "anyOf", "oneOf"] {
        let Some(Json::Array(values)) = members.get_mut(keyword) else {
            continue;
        };
        values.retain(|value| match keyword {
            "type" => !is_word(value),
            "enum" => *value != Json::Null,
            _ => !value.get("type").is_some_and(is_word),
        });
        if let ([only @ Json::Object(_)], true, true) = (&**values, is_alone, keyword != "enum") {
            return only.clone();
        }
    }
    schema
}
