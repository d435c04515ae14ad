//! A procedure as a method of OpenRPC.
//!
//! OpenRPC defines the first members of each object; what it has no member for follows as
//! extensions, under names that readers of documents know from [`openrpc`](crate::openrpc).

use std::collections::HashSet;

use super::examples::examples;
use super::{Writing, extensions, external_docs, needs_result, tag};
use crate::json::{Json, Object};
use crate::openrpc::{
    LINKS_MEMBER, PARAM_STRUCTURE, RESULT_NAME, X_ALIASES, X_DEPRECATION, X_DIRECTION, X_ERRORS,
    X_ERRORS_OPEN, X_EXAMPLES, X_GUARDED, X_IDEMPOTENT, X_IGNORES_UNKNOWN, X_NOTIFICATION,
    X_SCHEMA, X_SECURITY, X_SUBSCRIPTION, X_TYPE, X_UNDESCRIBED, X_VARIADIC, to_openrpc,
};
use crate::render::describe;
use crate::render::schemas::{is_reference, of_kinds, with_annotations};
use crate::schema::Kinds;
use crate::{Deprecation, ErrorDescription, ParamDescription, ProcedureDescription};

/// Returns the method of a procedure.
pub(super) fn method(procedure: &ProcedureDescription, writing: Writing<'_>) -> Object {
    let examples = examples(procedure, writing);
    let docs = external_docs(procedure.help.as_ref(), &procedure.extensions);
    let params = procedure
        .params
        .iter()
        .map(|described| param(described, writing));
    let details = procedure
        .deprecated
        .as_ref()
        .filter(|deprecation| **deprecation != Deprecation::default());
    let security = security(procedure);
    let is_unsaid = security.is_none() && procedure.is_restricted();
    let method = Object::new()
        .with("name", procedure.name.as_str())
        .list(
            "tags",
            procedure.tags.iter().map(|name| tag(name, writing.service)),
        )
        .text("summary", procedure.summary.as_ref())
        .text("description", procedure.description.as_ref())
        .maybe("externalDocs", docs)
        .maybe("paramStructure", structure(procedure))
        .list_always("params", params)
        .maybe("result", result(procedure, writing))
        .list("errors", errors(&procedure.errors, writing))
        .maybe(LINKS_MEMBER.1, procedure.extensions.get(LINKS_MEMBER.0))
        .list("examples", examples.pairings)
        .flag("deprecated", procedure.deprecated.is_some())
        .flag(X_IDEMPOTENT, procedure.idempotent)
        .flag(X_NOTIFICATION, procedure.notification)
        .maybe(X_DIRECTION, describe::direction(procedure))
        .maybe(
            X_SUBSCRIPTION,
            procedure.subscription.as_ref().map(describe::subscription),
        )
        .flag(X_IGNORES_UNKNOWN, procedure.ignores_unknown)
        .flag(X_GUARDED, procedure.guarded || is_unsaid)
        .maybe(X_SECURITY, security)
        .with_new(
            describe::promises(procedure)
                .into_iter()
                .map(|(name, value)| (to_openrpc(name.as_str()), value)),
        )
        .maybe(X_DEPRECATION, details.map(describe::deprecation))
        .flag(X_ERRORS_OPEN, procedure.errors_open)
        .list(X_ERRORS, full_errors(&procedure.errors, writing))
        .list(X_EXAMPLES, examples.originals);
    extensions(method, &procedure.extensions)
}

/// Returns the schemes that are required, or a list of alternatives, of which the last is empty if none is required.
fn security(procedure: &ProcedureDescription) -> Option<Json> {
    let mut ways = describe::ways_in(procedure, |name| name.into());
    match ways.len() {
        0 => None,
        1 => ways.pop().map(Json::from),
        _ => Some(ways.into_iter().collect()),
    }
}

/// Returns how parameters may be passed, unless it is the default way.
fn structure(procedure: &ProcedureDescription) -> Option<&str> {
    let (name, _) = PARAM_STRUCTURE;
    // The tools treat a parameter as one value wherever it is in an array, so a list of any length
    // can only be passed by name.
    let is_list = procedure.params.iter().any(|param| param.variadic);
    if procedure.by_name_only || is_list {
        Some("by-name")
    } else {
        procedure.extensions.get_str(name)
    }
}

/// Returns a parameter as a content descriptor.
fn param(param: &ParamDescription, writing: Writing<'_>) -> Object {
    // The default of a reference stands beside it, which draft-07 writes in another way.
    let is_split = param.default.is_some() && is_reference(&param.schema);
    let split = is_split.then_some(&param.schema);
    // OpenRPC has no member of its own for the default.
    let schema = with_annotations(param.schema.clone(), None, param.default.as_ref());
    let param_members = Object::new()
        .with("name", param.name.as_str())
        .text("description", param.description.as_ref())
        .with("required", param.required)
        .flag("deprecated", param.deprecated)
        .with("schema", writing.conversion().schema(&schema))
        .maybe(X_SCHEMA, split.or(writing.original(&param.schema)))
        .maybe(X_TYPE, writing.type_name(param.type_code, &param.schema))
        .flag(X_VARIADIC, param.variadic)
        .list(X_ALIASES, param.aliases.iter().map(describe::alias));
    extensions(param_members, &param.extensions)
}

/// Returns the result as a content descriptor. A subscription has one, too: its id.
fn result(procedure: &ProcedureDescription, writing: Writing<'_>) -> Option<Object> {
    const DEFAULT_NAME: &str = "result";
    if procedure.subscription.is_some() {
        let id = Object::new()
            .with(RESULT_NAME.1, "subscription")
            .with("description", "The id of the subscription.")
            .with("schema", of_kinds(Kinds::STRING));
        return Some(id);
    }
    let Some(returns) = &procedure.returns else {
        let unknown = Object::new()
            .with(RESULT_NAME.1, DEFAULT_NAME)
            .with("schema", Object::new())
            .flag(X_UNDESCRIBED, true);
        return needs_result(procedure, writing.version).then_some(unknown);
    };
    let name = returns.extensions.get_str(RESULT_NAME.0);
    let result = Object::new()
        .with(RESULT_NAME.1, name.unwrap_or(DEFAULT_NAME))
        .text("description", returns.description.as_ref())
        .with("schema", writing.conversion().schema(&returns.schema))
        .maybe(X_SCHEMA, writing.original(&returns.schema))
        .maybe(
            X_TYPE,
            writing.type_name(returns.type_code, &returns.schema),
        );
    Some(extensions(result, &returns.extensions))
}

/// Returns the errors with the members that OpenRPC defines. Their codes must differ.
fn errors(errors: &[ErrorDescription], writing: Writing<'_>) -> impl Iterator<Item = Object> {
    let mut codes = HashSet::new();
    errors
        .iter()
        .filter(move |error| codes.insert(error.code))
        .map(move |error| {
            let data = error.data.as_ref();
            Object::new()
                .with("code", error.code)
                .with("message", error.message.as_str())
                .maybe("data", data.map(|data| writing.conversion().schema(data)))
        })
}

/// Returns the errors with all members, if any error has more than OpenRPC defines.
fn full_errors(errors: &[ErrorDescription], writing: Writing<'_>) -> impl Iterator<Item = Object> {
    let mut codes = HashSet::new();
    let says_more = errors.iter().any(|error| {
        error.description.is_some()
            || error.status.is_some()
            || error.retry.is_some()
            || error
                .data
                .as_ref()
                .is_some_and(|data| writing.original(data).is_some())
            || !error.extensions.is_empty()
            || !codes.insert(error.code)
    });
    errors
        .iter()
        .filter(move |_| says_more)
        .map(describe::error)
}
