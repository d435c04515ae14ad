use std::borrow::Cow;
use std::collections::HashSet;

use super::cut::Cut;
use super::{OpenRpcVersion, draft07, extensions, external_docs, needs_result};
use crate::json::{Json, Name, Object};
use crate::openrpc::{
    ALIASES, DEPRECATION, ERRORS, ERRORS_OPEN, EXAMPLES, GUARDED, IDEMPOTENT, LIMITS, LINKS,
    NOTIFICATION, PARAM_STRUCTURE, RESULT_NAME, SECURITY, VARIADIC, example_name,
};
use crate::render::describe;
use crate::render::members::Members;
use crate::{
    Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription,
    ReturnDescription,
};

pub(super) fn method(
    procedure: &ProcedureDescription,
    version: OpenRpcVersion,
    tags: Option<&Object>,
) -> Members {
    let (examples, other_examples) = examples(procedure, version);
    let tag = |name: &String| {
        let description = tags.and_then(|tags| tags.get(name)).cloned();
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
        .maybe(LINKS.1, procedure.extensions.get(LINKS.0).cloned())
        .list("examples", examples)
        .flag("deprecated", procedure.deprecated.is_some())
        .flag(IDEMPOTENT, procedure.idempotent)
        .flag(NOTIFICATION, procedure.notification)
        .flag(GUARDED, procedure.guarded)
        .maybe(SECURITY, security(procedure))
        .maybe(LIMITS, procedure.limits.as_ref().map(describe::limits))
        .maybe(DEPRECATION, details.map(describe::deprecation))
        .flag(ERRORS_OPEN, procedure.errors_open)
        .list(ERRORS, full_errors(&procedure.errors))
        .list(EXAMPLES, other_examples.map(describe::example));
    extensions(method, &procedure.extensions)
}

/// The required security schemes, each with the scopes that are needed.
fn security(procedure: &ProcedureDescription) -> Option<Json> {
    let schemes = procedure.security.iter().map(|(scheme, scopes)| {
        let scopes = scopes.iter().map(|scope| Json::from(scope.as_str()));
        (scheme.clone(), Json::Array(scopes.collect()))
    });
    let schemes: Object = schemes.collect();
    (!schemes.is_empty()).then_some(Json::Object(schemes))
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

fn param(param: &ParamDescription) -> Members {
    let schema = with_default(param);
    let schema = draft07::schema(&schema, &Cut::Nothing);
    let param_members = Members::new()
        .with("name", param.name.as_str())
        .text("description", param.description.as_ref())
        .with("required", param.required)
        .flag("deprecated", param.deprecated)
        .with("schema", schema)
        .flag(VARIADIC, param.variadic)
        .list(ALIASES, param.aliases.iter().map(describe::alias));
    extensions(param_members, &param.extensions)
}

/// Returns the schema with the default, for which OpenRPC has no other place.
fn with_default(param: &ParamDescription) -> Cow<'_, Json> {
    let Some(default) = &param.default else {
        return Cow::Borrowed(&param.schema);
    };
    let mut members = match &param.schema {
        Json::Object(members) => members.clone(),
        Json::Bool(true) => Object::new(),
        other => return Cow::Borrowed(other),
    };
    members.insert("default".to_owned(), default.clone());
    Cow::Owned(Json::Object(members))
}

fn result(procedure: &ProcedureDescription, version: OpenRpcVersion) -> Option<Members> {
    let unknown = ReturnDescription {
        schema: Json::Object(Object::new()),
        ..ReturnDescription::default()
    };
    let returns = match &procedure.returns {
        Some(returns) => returns,
        None if needs_result(procedure, version) => &unknown,
        None => return None,
    };
    let name = returns.extensions.get(RESULT_NAME.0).and_then(Json::as_str);
    let result = Members::new()
        .with(RESULT_NAME.1, name.unwrap_or("result"))
        .text("description", returns.description.as_ref())
        .with("schema", draft07::schema(&returns.schema, &Cut::Nothing));
    Some(extensions(result, &returns.extensions))
}

/// Returns the errors with the members that OpenRPC defines. Their codes must differ.
fn errors(errors: &[ErrorDescription]) -> impl Iterator<Item = Members> {
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
fn full_errors(errors: &[ErrorDescription]) -> impl Iterator<Item = Members> {
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
) -> (Vec<Members>, impl Iterator<Item = &Example>) {
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

fn pairing(place: usize, example: &Example, params: &[ParamDescription]) -> Members {
    let value = |name: &str, value: &Json| {
        Members::new()
            .with("name", name)
            .with("value", value.clone())
    };
    let summary = example.summary.clone().filter(|text| !text.is_empty());
    let given: Vec<Members> = match (&example.params, params) {
        (Some(values @ Json::Array(_)), [param]) if param.variadic => {
            vec![value(&param.name, values)]
        }
        (Some(Json::Array(values)), _) => values
            .iter()
            .enumerate()
            .map(|(place, given)| match params.get(place) {
                Some(param) => value(&param.name, given),
                None => value(&format!("value {}", place + 1), given),
            })
            .collect(),
        (Some(Json::Object(values)), _) => in_order(values, params)
            .map(|(name, given)| value(name, given))
            .collect(),
        _ => Vec::new(),
    };
    let result = example.result.as_ref();
    Members::new()
        .with("name", summary.unwrap_or_else(|| example_name(place)))
        .text("description", example.description.as_ref())
        .list_always("params", given)
        .maybe("result", result.map(|result| value("result", result)))
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
