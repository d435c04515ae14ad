//! Examples as pairings of parameters and a result.
//!
//! A pairing holds less than an example of the model, and tools read its parameters by
//! position. So an example becomes a pairing only if it stays the same call; all others are in an
//! extension.

use super::{Writer, needs_result};
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
    /// All examples, if they cannot be restored from the pairings: if there are failures, calls without a response, or
    /// examples with values by alias.
    pub(super) originals: Vec<Object>,
}

/// Returns the examples of a procedure.
pub(super) fn examples(procedure: &ProcedureDescription, writer: Writer<'_>) -> Examples {
    let may_lack_result = !needs_result(procedure, writer.version);
    let mut pairings = Vec::new();
    let mut are_restorable = true;
    for (index, example) in procedure.examples.iter().enumerate() {
        let has_outcome = example.result.is_some() || may_lack_result;
        let can_be_pairing = example.error.is_none() && example.items.is_none() && has_outcome;
        if can_be_pairing && let Some(values) = positional_values(example, &procedure.params) {
            are_restorable &= is_restorable(example, &values);
            pairings.push(pairing(index, example, values));
        } else {
            are_restorable = false;
        }
    }
    let originals = if are_restorable {
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
fn positional_values<'a>(
    example: &'a Example,
    params: &'a [ParamDescription],
) -> Option<Vec<ParamValue<'a>>> {
    let call = example.params.as_ref();
    let given: Vec<Option<&Json>> = params
        .iter()
        .enumerate()
        .map(|(position, param)| param.value_in(position, call))
        .collect();
    let count = match (call, params) {
        (None, _) => 0,
        (Some(Json::Array(_)), [list]) if list.variadic => 1,
        (Some(Json::Array(values)), _) => values.len(),
        (Some(Json::Object(members)), _) => members.len(),
        (Some(_), _) => return None,
    };
    // There is a value of no parameter, or two of one.
    if given.iter().flatten().count() != count {
        return None;
    }
    let needed = match given.iter().rposition(Option::is_some) {
        Some(last) => last + 1,
        None => 0,
    };
    let mut values = Vec::with_capacity(params.len());
    for (param, value) in params.iter().zip(given) {
        match value.or(param.default.as_ref()) {
            Some(value) => values.push(ParamValue { param, value }),
            None if param.required || values.len() < needed => return None,
            // Optional parameters without a default may be left out at the end.
            None => break,
        }
    }
    Some(values)
}

/// Returns whether a reader restores the same example from its pairing.
fn is_restorable(example: &Example, values: &[ParamValue<'_>]) -> bool {
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
