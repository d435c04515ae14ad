//! A procedure as operations: a call by POST, and one by GET.
//!
//! This file describes the request, and [`responses`](super::responses) its responses. [`query`] decides which
//! parameters a query can carry.

use super::examples::{messages, named_examples};
use super::names::{ID, shared_schema};
use super::responses::content;
use super::subscription::CURSOR_PARAMETER;
use super::{Writer, query};
use crate::json::{Json, Object};
use crate::render::openrpc::external_docs;
use crate::render::procedure_members::extensions;
use crate::render::schemas::{named_params, reference, widely_read};
use crate::render::values::credential_alternatives;
use crate::schema::{Kinds, SchemaViews};
use crate::{Deprecation, ProcedureDescription};

/// The parameter for the key of a call.
const KEY_PARAMETER: &str = "#/components/parameters/IdempotencyKey";

impl Writer<'_> {
    /// Returns the call of a procedure by POST.
    pub(super) fn post(&self, procedure: &ProcedureDescription) -> Object {
        let examples = named_examples(procedure);
        let requests = messages(&examples, |named| {
            Some(
                Object::new()
                    .with("jsonrpc", "2.0")
                    .with("method", procedure.name.as_str())
                    .object("params", named.params.clone())
                    .with("id", 1),
            )
        });
        let body = Object::new()
            .with("content", content(self.request(procedure), requests))
            .with("required", true);
        let key = procedure.repeatable.map(|_| reference(KEY_PARAMETER));
        let operation = Object::new()
            .with("operationId", procedure.name.as_str())
            .list("parameters", key.into_iter().chain(cursor(procedure)))
            .with("requestBody", body)
            .with("responses", self.post_responses(procedure, &examples));
        self.described(procedure, &procedure.name, operation)
    }

    /// Returns the call of a procedure by GET, or `None` if GET cannot call it.
    pub(super) fn get(&self, procedure: &ProcedureDescription) -> Option<Object> {
        if !procedure.idempotent {
            return None;
        }
        let examples = named_examples(procedure);
        let successful = examples
            .iter()
            .find(|named| named.example.result.is_some() || named.example.items.is_some());
        let mut params = Vec::new();
        let views = SchemaViews::new(self.service);
        for param in &procedure.params {
            let view = views.view_of_schema(&param.schema);
            let Some(schema) = query::schema(param, view) else {
                if param.required {
                    return None;
                }
                continue;
            };
            let example = successful
                .and_then(|named| named.params.get(&param.name))
                .or(param.default.as_ref())
                .filter(|value| fits_in_query(value));
            params.push(
                Object::new()
                    .with("name", param.name.as_str())
                    .with("in", "query")
                    .text("description", param.description.as_ref())
                    .flag("required", param.required)
                    .flag("deprecated", param.deprecated)
                    .flag("allowEmptyValue", view.is_absent_if_empty(param.required))
                    .with("schema", self.schemas.schema(&schema.into()))
                    .maybe("example", example),
            );
        }
        params.extend(cursor(procedure));
        let name = format!("{} (GET)", procedure.name);
        let operation = Object::new()
            .list("parameters", params)
            .with("responses", self.get_responses(procedure, &examples));
        Some(self.described(procedure, &name, operation))
    }

    /// Adds the documentation of a procedure to its operation. Viewers head and list it by its `summary`, so that is
    /// the name, and the sentence about the procedure begins `description`.
    fn described(&self, procedure: &ProcedureDescription, name: &str, operation: Object) -> Object {
        let deprecated = procedure.deprecated.as_ref().map(Deprecation::sentence);
        let texts = [
            procedure.summary.as_deref(),
            procedure.description.as_deref(),
            deprecated.as_deref(),
        ];
        let docs = external_docs(procedure.help.as_ref(), &procedure.extensions);
        Object::new()
            .list("tags", procedure.tags.iter().map(String::as_str))
            .with("summary", name)
            .paragraphs("description", &texts)
            .maybe("externalDocs", docs)
            .with_new(operation)
            .flag("deprecated", procedure.deprecated.is_some())
            .list_always(
                "security",
                credential_alternatives(procedure, |name| self.security.get(name).into()),
            )
            .maybe(
                "x-subscription",
                procedure
                    .subscription
                    .as_ref()
                    .map(|subscription| self.subscription(subscription)),
            )
            .with_new(extensions(procedure, |member| member.openapi))
    }

    /// Returns the schema of a request by POST.
    fn request(&self, procedure: &ProcedureDescription) -> Object {
        let mut params = named_params(procedure, |schema| self.schemas.schema(schema)).into();
        widely_read("", &mut params);
        let needs_params = procedure.params.iter().any(|param| param.required);
        let properties = Object::new()
            .with("jsonrpc", constant("2.0"))
            .with("method", constant(&procedure.name))
            .with("params", params)
            .with("id", shared_schema(ID));
        // Notifications are left out: a caller who knows only HTTP expects a response.
        let required = ["jsonrpc", "method", "id"].into_iter();
        Object::new()
            .with("type", "object")
            .list("required", required.chain(needs_params.then_some("params")))
            .with("properties", properties)
    }
}

/// Returns the header field with which a subscription resumes, if it can.
fn cursor(procedure: &ProcedureDescription) -> Option<Object> {
    procedure.subscription.as_ref()?.resume.as_ref()?;
    Some(reference(CURSOR_PARAMETER))
}

/// Returns the schema of a text that is always the same. Tools that make up a request fill in a default, but not a
/// constant.
fn constant(text: &str) -> Object {
    Object::new()
        .with("type", "string")
        .with("const", text)
        .with("default", text)
}

/// Returns whether a query can carry a value: a scalar, or an array of scalars.
fn fits_in_query(value: &Json) -> bool {
    let values = value.as_array().unwrap_or(std::slice::from_ref(value));
    Kinds::any(values.iter().map(Kinds::of_value)).within(Kinds::SCALARS)
}
