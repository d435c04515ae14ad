//! Examples of calls, with parameters by name.

use crate::json::{Json, Object};
use crate::{Example, ParamDescription, ProcedureDescription};

/// An example, and its parameters by name.
pub(super) type NamedExample<'e> = (&'e Example, Object);

/// Returns the examples of a procedure whose parameters can be given by name.
pub(super) fn by_name(procedure: &ProcedureDescription) -> Vec<NamedExample<'_>> {
    let named = |example: &Example| named(&procedure.params, example.params.as_ref());
    procedure
        .examples
        .iter()
        .filter_map(|it| Some((it, named(it)?)))
        .collect()
}

fn named(params: &[ParamDescription], given: Option<&Json>) -> Option<Object> {
    match (given, params) {
        (None, _) => Some(Object::new()),
        (Some(values @ Json::Array(_)), [list]) if list.variadic => {
            Some(Object::new().with(list.name.as_str(), values))
        }
        (Some(Json::Array(values)), _) if values.len() <= params.len() => {
            let given = params
                .iter()
                .zip(values)
                .map(|(param, value)| (param.name.as_str(), value.clone()));
            Some(given.collect())
        }
        (Some(Json::Object(values)), _) => {
            let own = |name: &str| params.iter().find(|param| param.is_called(name));
            values
                .iter()
                .map(|(name, value)| Some((own(name)?.name.as_str(), value.clone())))
                .collect()
        }
        (Some(_), _) => None,
    }
}

/// Returns the messages of the examples that have one, each under a name.
pub(super) fn messages(
    examples: &[NamedExample<'_>],
    message: impl Fn(&NamedExample<'_>) -> Option<Object>,
) -> Option<Object> {
    let numbered = examples.iter().enumerate();
    let messages: Object = numbered
        .filter_map(|(place, example)| {
            let object = Object::new()
                .text("summary", example.0.summary.as_ref())
                .text("description", example.0.description.as_ref())
                .with("value", message(example)?);
            Some((format!("example{}", place + 1), Json::from(object)))
        })
        .collect();
    (!messages.is_empty()).then_some(messages)
}
