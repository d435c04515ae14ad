//! Examples of calls, with parameters by name.

use crate::json::{Json, Object};
use crate::{Example, ProcedureDescription};

/// An example, and its parameters by name.
pub(super) type NamedExample<'e> = (&'e Example, Object);

/// Returns the examples of a procedure whose parameters can be given by name.
pub(super) fn by_name(procedure: &ProcedureDescription) -> Vec<NamedExample<'_>> {
    procedure
        .examples
        .iter()
        .filter_map(|it| Some((it, named(procedure, it.params.as_ref())?)))
        .collect()
}

fn named(procedure: &ProcedureDescription, given: Option<&Json>) -> Option<Object> {
    let params = &*procedure.params;
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
            let known = values.iter().filter(|(name, _)| {
                // Unknown names say nothing if they are ignored.
                !procedure.ignores_unknown || own(name).is_some()
            });
            known
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
