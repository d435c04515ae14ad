//! Examples as pairings of parameters and a result.
//!
//! A pairing cannot say all that an example of the model can, and tools read its parameters by
//! position. So an example becomes a pairing only if it stays the same call; all others are in an
//! extension.

use super::{Writing, needs_result};
use crate::json::{Json, Object};
use crate::openrpc::{example_name, is_example_name};
use crate::render::values;
use crate::{Example, ParamDescription, ProcedureDescription};

/// A parameter's value in a pairing.
struct ParamValue<'a> {
    param: &'a ParamDescription,
    value: &'a Json,
}

/// The examples of a procedure, as a document has them.
pub(super) struct Examples {
    pub(super) pairings: Vec<Object>,
    /// All examples, if pairings do not say all that they say: failures, calls without a response, and
    /// examples with values by alias.
    pub(super) originals: Vec<Object>,
}

/// Returns the examples of a procedure.
pub(super) fn examples(procedure: &ProcedureDescription, writing: Writing<'_>) -> Examples {
    let may_lack_result = !needs_result(procedure, writing.version);
    let mut pairings = Vec::new();
    let mut is_all_said = true;
    for (index, example) in procedure.examples.iter().enumerate() {
        let has_outcome = example.result.is_some() || may_lack_result;
        let can_be_pairing = example.error.is_none() && example.items.is_none() && has_outcome;
        if can_be_pairing && let Some(values) = complete(example, &procedure.params) {
            is_all_said &= is_said(example, &values);
            pairings.push(pairing(index, example, values));
        } else {
            is_all_said = false;
        }
    }
    let originals = if is_all_said {
        Vec::new()
    } else {
        procedure.examples.iter().map(values::example).collect()
    };
    Examples {
        pairings,
        originals,
    }
}

/// Returns the values of an example in the order of the parameters and without a gap, because tools treat them as
/// positional. Where it has none, they are the defaults. Returns `None` if that would not be the same call.
fn complete<'a>(
    example: &'a Example,
    params: &'a [ParamDescription],
) -> Option<Vec<ParamValue<'a>>> {
    let given = example.params.as_ref();
    let written: Vec<Option<&Json>> = params
        .iter()
        .enumerate()
        .map(|(position, param)| param.value_in(position, given))
        .collect();
    let count = match (given, params) {
        (None, _) => 0,
        (Some(Json::Array(_)), [list]) if list.variadic => 1,
        (Some(Json::Array(values)), _) => values.len(),
        (Some(Json::Object(members)), _) => members.len(),
        (Some(_), _) => return None,
    };
    // There is a value of no parameter, or two of one.
    if written.iter().flatten().count() != count {
        return None;
    }
    let last_written = written.iter().rposition(Option::is_some);
    let needed = last_written.map_or(0, |last| last + 1);
    let mut complete = Vec::with_capacity(params.len());
    for (param, value) in params.iter().zip(written) {
        match value.or(param.default.as_ref()) {
            Some(value) => complete.push(ParamValue { param, value }),
            None if param.required || complete.len() < needed => return None,
            // Optional parameters without a default may be left out at the end.
            None => break,
        }
    }
    Some(complete)
}

/// Returns whether a reader restores the same example from its pairing.
fn is_said(example: &Example, values: &[ParamValue<'_>]) -> bool {
    let is_same_call = match &example.params {
        Some(Json::Object(members)) => {
            !values.is_empty()
                && members.len() == values.len()
                && values.iter().all(|ParamValue { param, value }| {
                    !param.variadic && members.get(&param.name) == Some(*value)
                })
        }
        Some(list @ Json::Array(elements)) => match values {
            [] => elements.is_empty(),
            [only] => only.param.variadic && only.value == list,
            _ => false,
        },
        _ => false,
    };
    let keeps_summary = match example.summary.as_deref() {
        Some(summary) => !summary.is_empty() && !is_example_name(summary),
        None => true,
    };
    is_same_call && keeps_summary && example.extensions.is_empty()
}

fn pairing(index: usize, example: &Example, values: Vec<ParamValue<'_>>) -> Object {
    let name = match example.summary.as_deref() {
        None | Some("") => example_name(index),
        Some(summary) => summary.to_owned(),
    };
    let params = values
        .into_iter()
        .map(|ParamValue { param, value }| named_value(&param.name, value));
    let result = example.result.as_ref();
    Object::new()
        .with("name", name)
        .text("description", example.description.as_ref())
        .list_always("params", params)
        .maybe("result", result.map(|result| named_value("result", result)))
}

/// Returns a value as a pairing has it.
fn named_value(name: &str, value: &Json) -> Object {
    Object::new().with("name", name).with("value", value)
}
