//! Examples as pairings of parameters and a result.

use std::borrow::Cow;

use super::{Writing, needs_result};
use crate::json::{Json, Object};
use crate::openrpc::{PAIRING, example_name, is_example_name};
use crate::render::describe;
use crate::render::members::{Members, Part};
use crate::{Example, ParamDescription, ProcedureDescription};

/// A parameter's value in a pairing.
type Given<'a> = (&'a ParamDescription, &'a Json);

/// Returns the examples that OpenRPC can represent as pairings, and a list of the others: failures,
/// calls without a response, and examples that a pairing would change. If any would be changed, the
/// list has an entry for every example, in order.
pub(super) fn examples<'a>(
    procedure: &'a ProcedureDescription,
    writing: Writing<'_>,
) -> (Vec<Members<'a>>, Vec<Part<'a>>) {
    let may_lack_result = !needs_result(procedure, writing.version);
    let params = &*procedure.params;
    let mut pairings = Vec::new();
    let mut others = Vec::new();
    let mut is_all_said = true;
    for (place, example) in procedure.examples.iter().enumerate() {
        let has_outcome = example.result.is_some() || may_lack_result;
        let given = (example.error.is_none() && has_outcome).then(|| complete(example, params));
        let Some(given) = given.flatten() else {
            others.push((None, example));
            continue;
        };
        is_all_said &= others.is_empty() && is_said(example, &given);
        others.push((Some(pairings.len()), example));
        pairings.push(pairing(place, example, given));
    }
    if is_all_said || !writing.is_ours {
        others.retain(|(pairing, _)| pairing.is_none());
    }
    let others = others.into_iter().map(|(pairing, example)| match pairing {
        Some(pairing) => completed(pairing, example, params),
        None => describe::example(example).into(),
    });
    let others = others.collect();
    (pairings, others)
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
        let mut names = std::iter::once(&param.name).chain(aliases);
        names.find_map(|name| values?.get(name))
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
        Some(Json::Array(_)) => given.iter().all(|(param, _)| param.variadic),
        _ => false,
    };
    let is_name = |text: &str| !text.is_empty() && !is_example_name(text);
    params && example.summary.as_deref().is_none_or(is_name) && example.extensions.is_empty()
}

fn pairing<'a>(place: usize, example: &'a Example, given: Vec<Given<'a>>) -> Members<'a> {
    let value =
        |name: &'a str, value: &'a Json| Members::new().with("name", name).with("value", value);
    let summary = example.summary.as_deref().filter(|text| !text.is_empty());
    let name = summary.map_or_else(|| example_name(place).into(), Cow::Borrowed);
    let given = given.into_iter();
    Members::new()
        .with("name", Part::Text(name))
        .text("description", example.description.as_ref())
        .list_always(
            "params",
            given.map(move |(param, given)| value(&param.name, given)),
        )
        .maybe(
            "result",
            example
                .result
                .as_ref()
                .map(|result| value("result", result)),
        )
}

/// Returns an entry with the members of an example that its pairing changes.
fn completed<'a>(pairing: usize, example: &'a Example, params: &'a [ParamDescription]) -> Part<'a> {
    let said = complete(example, params).is_some_and(|given| is_said(example, &given));
    let entry = Members::new().with(PAIRING, i64::try_from(pairing).unwrap_or(i64::MAX));
    if said {
        return entry.into();
    }
    let params = match &example.params {
        Some(params) => params.into(),
        None => Part::Owned(Json::Null),
    };
    entry
        .text("summary", example.summary.as_ref())
        .with("params", params)
        .extensions(&example.extensions)
        .into()
}
