//! Examples of calls, with parameters by name.
//!
//! A document cannot have calls with an array of parameters, so examples by position get
//! names, or are left out if that fails.

use crate::json::Object;
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
        if let Some(params) = procedure.named_params(example.params.as_ref()) {
            named.push(NamedExample { example, params });
        }
    }
    named
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
