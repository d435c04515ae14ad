//! A procedure as a method of OpenRPC.
//!
//! OpenRPC defines the first members of each object. Extensions follow, under names that readers of documents know from
//! [`openrpc`](crate::openrpc).

use std::collections::HashSet;

use super::examples::examples;
use super::{Writer, extensions, external_docs, needs_result, tag};
use crate::json::{Json, Object};
use crate::openrpc::{
    LINKS, PARAM_STRUCTURE, RESULT_NAME, X_ALIASES, X_DEPRECATION, X_ERRORS, X_EXAMPLES, X_GUARDED,
    X_SCHEMA, X_SECURITY, X_TYPE, X_UNDESCRIBED, X_VARIADIC,
};
use crate::render::schemas::{is_reference, of_kinds, with_annotations};
use crate::render::{procedure_members, values};
use crate::schema::Kinds;
use crate::{ErrorDescription, ParamDescription, ProcedureDescription};

/// Returns the method of a procedure.
pub(super) fn method(procedure: &ProcedureDescription, writer: Writer<'_>) -> Object {
    let examples = examples(procedure, writer);
    let docs = external_docs(procedure.help.as_ref(), &procedure.extensions);
    let params = procedure
        .params
        .iter()
        .map(|described| param(described, writer));
    let deprecation = procedure.deprecated.as_ref().map(values::deprecation);
    let errors = errors(&procedure.errors, writer);
    let mut full_errors: Vec<Object> = procedure.errors.iter().map(values::error).collect();
    if full_errors == errors {
        // Nothing of them is lost in OpenRPC.
        full_errors.clear();
    }
    let security = security(procedure);
    let has_other_guards = security.is_none() && procedure.is_restricted();
    let method = Object::new()
        .with("name", procedure.name.as_str())
        .list(
            "tags",
            procedure.tags.iter().map(|name| tag(name, writer.service)),
        )
        .text("summary", procedure.summary.as_ref())
        .text("description", procedure.description.as_ref())
        .maybe("externalDocs", docs)
        .maybe("paramStructure", param_structure(procedure))
        .list_always("params", params)
        .maybe("result", result(procedure, writer))
        .list("errors", errors)
        .maybe("links", procedure.extensions.get(LINKS))
        .list("examples", examples.pairings)
        .flag("deprecated", procedure.deprecated.is_some())
        .object(X_DEPRECATION, deprecation.unwrap_or_default())
        .flag(X_GUARDED, has_other_guards)
        .with_new(procedure_members::extensions(procedure, |member| {
            member.openrpc
        }))
        .maybe(X_SECURITY, security)
        .list(X_ERRORS, full_errors)
        .list(X_EXAMPLES, examples.originals);
    extensions(method, &procedure.extensions)
}

/// Returns the schemes that are required, or a list of alternatives, of which the last is empty if none is required.
fn security(procedure: &ProcedureDescription) -> Option<Json> {
    let mut alternatives = values::credential_alternatives(procedure, |name| name.into());
    match alternatives.len() {
        0 => None,
        1 => alternatives.pop().map(Json::from),
        _ => Some(alternatives.into_iter().collect()),
    }
}

/// Returns the `paramStructure` of a procedure, which says whether parameters have names or positions, unless it is the
/// default.
fn param_structure(procedure: &ProcedureDescription) -> Option<&str> {
    // The tools treat a parameter as one value at any position of an array, so a list of any length
    // can only be passed by name.
    let is_list = procedure.params.iter().any(|param| param.variadic);
    if procedure.by_name_only || is_list {
        Some("by-name")
    } else {
        procedure.extensions.get_str(PARAM_STRUCTURE)
    }
}

/// Returns a parameter as a content descriptor.
fn param(param: &ParamDescription, writer: Writer<'_>) -> Object {
    // Draft-07 ignores a default beside a reference, so the reference moves, and a reader needs the original.
    let original = if param.default.is_some() && is_reference(&param.schema) {
        Some(&param.schema)
    } else {
        writer.original(&param.schema)
    };
    // OpenRPC has no member of its own for the default.
    let schema = with_annotations(param.schema.clone(), None, param.default.as_ref());
    let param_members = Object::new()
        .with("name", param.name.as_str())
        .text("description", param.description.as_ref())
        .with("required", param.required)
        .flag("deprecated", param.deprecated)
        .with("schema", writer.conversion().schema(&schema))
        .maybe(X_SCHEMA, original)
        .maybe(X_TYPE, writer.type_name(param.type_code, &param.schema))
        .flag(X_VARIADIC, param.variadic)
        .list(X_ALIASES, param.aliases.iter().map(values::alias));
    extensions(param_members, &param.extensions)
}

/// Returns the result as a content descriptor. A subscription has one, too: its id.
fn result(procedure: &ProcedureDescription, writer: Writer<'_>) -> Option<Object> {
    const DEFAULT_NAME: &str = "result";
    if procedure.subscription.is_some() {
        let id = Object::new()
            .with("name", "subscription")
            .with("description", "The id of the subscription.")
            .with("schema", of_kinds(Kinds::STRING));
        return Some(id);
    }
    let Some(returns) = &procedure.returns else {
        if !needs_result(procedure, writer.version) {
            return None;
        }
        let unknown = Object::new()
            .with("name", DEFAULT_NAME)
            .with("schema", Object::new())
            .flag(X_UNDESCRIBED, true);
        return Some(unknown);
    };
    let name = returns.extensions.get_str(RESULT_NAME);
    let result = Object::new()
        .with("name", name.unwrap_or(DEFAULT_NAME))
        .text("description", returns.description.as_ref())
        .with("schema", writer.conversion().schema(&returns.schema))
        .maybe(X_SCHEMA, writer.original(&returns.schema))
        .maybe(X_TYPE, writer.type_name(returns.type_code, &returns.schema));
    Some(extensions(result, &returns.extensions))
}

/// Returns the errors with the members that OpenRPC defines: the first one of each code, because codes must differ.
fn errors(errors: &[ErrorDescription], writer: Writer<'_>) -> Vec<Object> {
    let mut codes = HashSet::new();
    let mut with_distinct_codes = Vec::new();
    for error in errors {
        if codes.insert(error.code) {
            let data = error.data.as_ref();
            with_distinct_codes.push(
                Object::new()
                    .with("code", error.code)
                    .with("message", error.message.as_str())
                    .maybe("data", data.map(|data| writer.conversion().schema(data))),
            );
        }
    }
    with_distinct_codes
}
