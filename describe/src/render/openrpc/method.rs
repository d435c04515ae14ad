use std::borrow::Cow;
use std::collections::HashSet;

use super::cut::Cut;
use super::{OpenRpcVersion, draft07, extensions, external_docs, needs_result};
use crate::json::{Json, Name, Object};
use crate::openrpc::{
    ALIASES, CACHE, DEPRECATION, ERRORS, ERRORS_OPEN, EXAMPLES, GUARDED, IDEMPOTENT, LIMITS, LINKS,
    NOTIFICATION, PARAM_STRUCTURE, REPEATABLE, RESULT_NAME, SECURITY, UNCHECKED, VARIADIC,
    example_name,
};
use crate::render::describe;
use crate::render::members::{Members, Part};
use crate::{Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription};

pub(super) fn method<'a>(
    procedure: &'a ProcedureDescription,
    version: OpenRpcVersion,
    tags: Option<&'a Object>,
) -> Members<'a> {
    let (examples, other_examples) = examples(procedure, version);
    let tag = move |name: &'a String| {
        let description = tags.and_then(|tags| tags.get(name));
        Members::new()
            .with("name", name.as_str())
            .maybe("description", description)
    };
    let details = procedure.deprecated.as_ref();
    let details = details.filter(|deprecation| **deprecation != Deprecation::default());
    let method = Members::new()
        .with("name", procedure.name.as_str())
        .list("tags", procedure.tags.iter().map(tag))
        .text("summary", procedure.summary.as_ref())
        .text("description", procedure.description.as_ref())
        .maybe("externalDocs", procedure.help.as_deref().map(external_docs))
        .maybe("paramStructure", structure(procedure))
        .list_always("params", procedure.params.iter().map(param))
        .maybe("result", result(procedure, version))
        .list("errors", errors(&procedure.errors))
        .maybe(LINKS.1, procedure.extensions.get(LINKS.0))
        .list("examples", examples)
        .flag("deprecated", procedure.deprecated.is_some())
        .flag(IDEMPOTENT, procedure.idempotent)
        .flag(NOTIFICATION, procedure.notification)
        .flag(GUARDED, procedure.guarded)
        .maybe(SECURITY, security(procedure))
        .maybe(LIMITS, procedure.limits.as_ref().map(describe::limits))
        .maybe(CACHE, procedure.cache.as_ref().map(describe::cache))
        .maybe(REPEATABLE, procedure.repeatable.map(describe::repeatable))
        .text(UNCHECKED, procedure.unchecked.as_ref())
        .maybe(DEPRECATION, details.map(describe::deprecation))
        .flag(ERRORS_OPEN, procedure.errors_open)
        .list(ERRORS, full_errors(&procedure.errors))
        .list(EXAMPLES, other_examples.map(describe::example));
    extensions(method, &procedure.extensions)
}

/// The required security schemes, each with the scopes that are needed.
fn security(procedure: &ProcedureDescription) -> Option<Members<'_>> {
    let schemes = procedure.security.iter();
    let schemes = schemes.fold(Members::new(), |schemes, (scheme, scopes)| {
        schemes.list_always(scheme, scopes.iter().map(String::as_str))
    });
    (!schemes.is_empty()).then_some(schemes)
}

/// Returns how parameters may be passed, unless it is the default.
fn structure(procedure: &ProcedureDescription) -> Option<&str> {
    let (name, _) = PARAM_STRUCTURE;
    // The tools treat a parameter as one value wherever it is in an array, so a list of any length
    // can only be passed by name.
    let is_list = procedure.params.iter().any(|param| param.variadic);
    if procedure.by_name_only || is_list {
        Some("by-name")
    } else {
        procedure.extensions.get(name).and_then(Json::as_str)
    }
}

fn param(param: &ParamDescription) -> Members<'_> {
    let param_members = Members::new()
        .with("name", param.name.as_str())
        .text("description", param.description.as_ref())
        .with("required", param.required)
        .flag("deprecated", param.deprecated)
        .with("schema", with_default(param))
        .flag(VARIADIC, param.variadic)
        .list(ALIASES, param.aliases.iter().map(describe::alias));
    extensions(param_members, &param.extensions)
}

/// Returns the schema with the default, for which OpenRPC has no other place.
fn with_default(param: &ParamDescription) -> Part<'_> {
    let none = Object::new();
    let (default, members) = match (&param.default, &param.schema) {
        (Some(default), Json::Object(members)) => (default, members),
        (Some(default), Json::Bool(true)) => (default, &none),
        (_, schema) => return draft07::schema(schema, &Cut::Nothing).into(),
    };
    // A default is not converted, so a small value can stand for a large one until it is written.
    let mut schema = Object::with_capacity(members.len() + 1);
    for (keyword, value) in members {
        let is_default = keyword == "default";
        schema.insert(
            keyword,
            if is_default {
                Json::Null
            } else {
                value.clone()
            },
        );
    }
    schema.insert("default", Json::Null);
    let schema = draft07::schema(&Json::Object(schema), &Cut::Nothing).into_owned();
    match schema {
        Json::Object(members) => Members::from(members)
            .with_instead("default", default)
            .into(),
        other => other.into(),
    }
}

fn result(procedure: &ProcedureDescription, version: OpenRpcVersion) -> Option<Members<'_>> {
    const NAME: &str = "result";
    let Some(returns) = &procedure.returns else {
        let unknown = Members::new()
            .with(RESULT_NAME.1, NAME)
            .with("schema", Members::new());
        return needs_result(procedure, version).then_some(unknown);
    };
    let name = returns.extensions.get(RESULT_NAME.0).and_then(Json::as_str);
    let result = Members::new()
        .with(RESULT_NAME.1, name.unwrap_or(NAME))
        .text("description", returns.description.as_ref())
        .with("schema", draft07::schema(&returns.schema, &Cut::Nothing));
    Some(extensions(result, &returns.extensions))
}

/// Returns the errors with the members that OpenRPC defines. Their codes must differ.
fn errors(errors: &[ErrorDescription]) -> impl Iterator<Item = Members<'_>> {
    let mut codes = HashSet::new();
    errors
        .iter()
        .filter(move |error| codes.insert(error.code))
        .map(|error| {
            let data = error.data.as_ref();
            Members::new()
                .with("code", error.code)
                .with("message", error.message.as_str())
                .maybe(
                    "data",
                    data.map(|data| draft07::schema(data, &Cut::Nothing)),
                )
        })
}

/// Returns the errors with all members, if any has more than OpenRPC defines.
fn full_errors(errors: &[ErrorDescription]) -> impl Iterator<Item = Members<'_>> {
    let mut codes = HashSet::new();
    let says_more = errors.iter().any(|error| {
        error.description.is_some()
            || error.status.is_some()
            || error.retry.is_some()
            || !error.extensions.is_empty()
            || !codes.insert(error.code)
    });
    errors
        .iter()
        .filter(move |_| says_more)
        .map(describe::error)
}

/// Returns the examples that OpenRPC can represent, and those that it cannot: failures, and calls
/// without a response.
fn examples(
    procedure: &ProcedureDescription,
    version: OpenRpcVersion,
) -> (Vec<Members<'_>>, impl Iterator<Item = &Example>) {
    let may_lack_result = !needs_result(procedure, version);
    let can_say = move |example: &&Example| {
        example.error.is_none() && (example.result.is_some() || may_lack_result)
    };
    let pairings = procedure
        .examples
        .iter()
        .enumerate()
        .filter(|(_, example)| can_say(example))
        .map(|(place, example)| pairing(place, example, &procedure.params))
        .collect();
    let others = procedure
        .examples
        .iter()
        .filter(move |example| !can_say(example));
    (pairings, others)
}

fn pairing<'a>(place: usize, example: &'a Example, params: &'a [ParamDescription]) -> Members<'a> {
    let value = |name: Cow<'a, str>, value: &'a Json| {
        Members::new()
            .with("name", Part::Text(name))
            .with("value", value)
    };
    let summary = example.summary.as_deref().filter(|text| !text.is_empty());
    let given: Vec<Members<'a>> = match (&example.params, params) {
        (Some(values @ Json::Array(_)), [param]) if param.variadic => {
            vec![value(param.name.as_str().into(), values)]
        }
        (Some(Json::Array(values)), _) => values
            .iter()
            .enumerate()
            .map(|(place, given)| match params.get(place) {
                Some(param) => value(param.name.as_str().into(), given),
                None => value(format!("value {}", place + 1).into(), given),
            })
            .collect(),
        (Some(Json::Object(values)), _) => in_order(values, params)
            .map(|(name, given)| value(name.as_str().into(), given))
            .collect(),
        _ => Vec::new(),
    };
    let result = example.result.as_ref();
    let name = summary.map_or_else(|| example_name(place).into(), Cow::Borrowed);
    Members::new()
        .with("name", Part::Text(name))
        .text("description", example.description.as_ref())
        .list_always("params", given)
        .maybe(
            "result",
            result.map(|result| value("result".into(), result)),
        )
}

/// Returns values by name in the order of the parameters, because some readers treat them as
/// positional.
fn in_order<'v>(
    values: &'v Object,
    params: &'v [ParamDescription],
) -> impl Iterator<Item = (&'v Name, &'v Json)> {
    let names: HashSet<&str> = params.iter().map(|param| param.name.as_str()).collect();
    let known = params
        .iter()
        .filter_map(|param| values.get_key_value(&param.name));
    let unknown = values
        .iter()
        .filter(move |(name, _)| !names.contains(name.as_str()));
    known.chain(unknown)
}
