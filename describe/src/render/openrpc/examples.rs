//! Examples as pairings of parameters and a result.

use super::{Writing, needs_result};
use crate::json::{Json, Object};
use crate::openrpc::{example_name, is_example_name};
use crate::render::describe;
use crate::{Example, ParamDescription, ProcedureDescription};

/// A parameter's value in a pairing.
type Given<'a> = (&'a ParamDescription, &'a Json);

/// Returns the examples that OpenRPC can represent as pairings, and a list of all examples if there
/// are others or if a pairing would change one: failures, calls without a response, and examples
/// with values by alias.
pub(super) fn examples(
    procedure: &ProcedureDescription,
    writing: Writing<'_>,
) -> (Vec<Object>, Vec<Object>) {
    let may_lack_result = !needs_result(procedure, writing.version);
    let mut pairings = Vec::new();
    let mut is_all_said = true;
    for (place, example) in procedure.examples.iter().enumerate() {
        let has_outcome = example.result.is_some() || may_lack_result;
        let is_pairing = example.error.is_none() && example.items.is_none() && has_outcome;
        let given = is_pairing.then(|| complete(example, &procedure.params));
        if let Some(given) = given.flatten() {
            is_all_said &= !writing.is_ours || is_said(example, &given);
            pairings.push(pairing(place, example, given));
        } else {
            is_all_said = false;
        }
    }
    let all = procedure.examples.iter().filter(|_| !is_all_said);
    (pairings, all.map(describe::example).collect())
}

/// Returns the values of an example in the order of the parameters and without a gap, because tools
/// treat them as positional. Returns `None` if that would not be the same call.
fn complete<'a>(example: &'a Example, params: &'a [ParamDescription]) -> Option<Vec<Given<'a>>> {
    match (&example.params, params) {
        (None, _) => by_name(None, params),
        (Some(values @ Json::Array(_)), [param]) if param.variadic => Some(vec![(param, values)]),
        (Some(Json::Array(values)), _) if values.len() <= params.len() => {
            let mut given: Vec<Given<'_>> = params.iter().zip(values).collect();
            let rest = params[values.len()..].iter();
            given.extend(rest.map_while(|param| Some((param, param.default.as_ref()?))));
            Some(given)
        }
        (Some(Json::Object(values)), _) => by_name(Some(values), params),
        (Some(_), _) => None,
    }
}

fn by_name<'a>(
    values: Option<&'a Object>,
    params: &'a [ParamDescription],
) -> Option<Vec<Given<'a>>> {
    let given = |param: &ParamDescription| {
        let aliases = param.aliases.iter().map(|alias| &alias.name);
        std::iter::once(&param.name)
            .chain(aliases)
            .find_map(|name| values?.get(name))
    };
    let found: Vec<_> = params.iter().map(|param| (param, given(param))).collect();
    let last = found.iter().rposition(|(_, value)| value.is_some());
    let needed = last.map_or(0, |last| last + 1);
    let known = found.iter().filter(|(_, value)| value.is_some()).count();
    if known != values.map_or(0, Object::len) {
        return None;
    }
    let mut given = Vec::with_capacity(found.len());
    for (param, value) in found {
        match value.or(param.default.as_ref()) {
            Some(value) => given.push((param, value)),
            None if param.required || given.len() < needed => return None,
            // Optional parameters without a default may be left out at the end.
            None => break,
        }
    }
    Some(given)
}

/// Returns whether a reader restores the same example from its pairing.
fn is_said(example: &Example, given: &[Given<'_>]) -> bool {
    let params = match &example.params {
        Some(Json::Object(values)) => {
            !given.is_empty()
                && values.len() == given.len()
                && given.iter().all(|(param, value)| {
                    !param.variadic && values.get(&param.name) == Some(*value)
                })
        }
        Some(list @ Json::Array(values)) => match given {
            [] => values.is_empty(),
            [(param, value)] => param.variadic && *value == list,
            _ => false,
        },
        _ => false,
    };
    let is_name = |text: &str| !text.is_empty() && !is_example_name(text);
    params && example.summary.as_deref().is_none_or(is_name) && example.extensions.is_empty()
}

fn pairing(place: usize, example: &Example, given: Vec<Given<'_>>) -> Object {
    let value = |name: &str, value: &Json| Object::new().with("name", name).with("value", value);
    let name = example
        .summary
        .as_deref()
        .filter(|text| !text.is_empty())
        .map_or_else(|| example_name(place), str::to_owned);
    let params = given
        .into_iter()
        .map(|(param, given)| value(&param.name, given));
    let result = example
        .result
        .as_ref()
        .map(|result| value("result", result));
    Object::new()
        .with("name", name)
        .text("description", example.description.as_ref())
        .list_always("params", params)
        .maybe("result", result)
}
