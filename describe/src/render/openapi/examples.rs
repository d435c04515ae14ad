//! Examples of calls, with parameters by name.
//!
//! A document has no place for calls with an array of parameters, so examples by position get
//! names, or are left out if that fails.

use crate::json::{Json, Object};
use crate::{Example, ProcedureDescription};

/// An example, and its parameters by name.
pub(super) struct NamedExample<'e> {
    pub(super) example: &'e Example,
    pub(super) params: Object,
}

/// Returns the examples of a procedure whose parameters can be given by name.
pub(super) fn named_examples(procedure: &ProcedureDescription) -> Vec<NamedExample<'_>> {
    let mut named = Vec::new();
    for example in &procedure.examples {
        if let Some(params) = params_by_name(procedure, example.params.as_ref()) {
            named.push(NamedExample { example, params });
        }
    }
    named
}

/// Returns the `params` of a call as an object, if that is the same call.
fn params_by_name(procedure: &ProcedureDescription, written: Option<&Json>) -> Option<Object> {
    let params = &*procedure.params;
    match (written, params) {
        (None, _) => Some(Object::new()),
        (Some(values @ Json::Array(_)), [list]) if list.variadic => {
            Some(Object::new().with(list.name.as_str(), values))
        }
        (Some(Json::Array(values)), _) if values.len() <= params.len() => {
            let named = params
                .iter()
                .zip(values)
                .map(|(param, value)| (param.name.as_str(), value.clone()));
            Some(named.collect())
        }
        (Some(Json::Object(values)), _) => {
            let mut named = Object::new();
            for (name, value) in values {
                match params.iter().find(|param| param.is_called(name.as_str())) {
                    Some(param) => {
                        named.insert(&param.name, value.clone());
                    }
                    // Unknown names say nothing if they are ignored.
                    None if procedure.ignores_unknown => {}
                    None => return None,
                }
            }
            Some(named)
        }
        (Some(_), _) => None,
    }
}

/// Returns the messages of the examples that have one, each under a name.
pub(super) fn messages(
    examples: &[NamedExample<'_>],
    message: impl Fn(&NamedExample<'_>) -> Option<Object>,
) -> Option<Object> {
    let mut messages = Object::new();
    for (index, named) in examples.iter().enumerate() {
        if let Some(message) = message(named) {
            let example = Object::new()
                .text("summary", named.example.summary.as_ref())
                .text("description", named.example.description.as_ref())
                .with("value", message);
            messages.insert(format!("example{}", index + 1), example.into());
        }
    }
    (!messages.is_empty()).then_some(messages)
}
