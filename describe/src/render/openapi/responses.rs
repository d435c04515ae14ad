//! Responses: envelopes with a result or an error, and their statuses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Writing;
use super::examples::{NamedExample, messages};
use super::names::{OWN_SCHEMAS, own};
use crate::code::PROTOCOL_ERRORS;
use crate::json::{Json, Object};
use crate::render::schemas::{any_of, one_of, reference, with_annotations};
use crate::{ErrorDescription, ProcedureDescription};

/// The responses to POST without a result, and to requests that never become calls.
const OF_POST: [(u16, &str); 7] = [
    (204, "Notification"),
    (400, "BadRequest"),
    (408, "RequestTimeout"),
    (413, "ContentTooLarge"),
    (415, "UnsupportedMediaType"),
    (421, "MisdirectedRequest"),
    (503, "Unavailable"),
];
/// The responses to GET with errors of the protocol. The first is for a caller that calls too often.
const OF_GET: [(u16, &str); 8] = [
    (429, "TooManyRequests"),
    (304, "NotModified"),
    (400, "BadRequest"),
    (414, "UriTooLong"),
    (421, "MisdirectedRequest"),
    (500, "InternalError"),
    (503, "Unavailable"),
    (504, "TimedOut"),
];
/// The responses of guards.
const OF_GUARDS: [(u16, &str); 2] = [(401, "Unauthorized"), (403, "Forbidden")];

/// Returns the content of a body.
pub(super) fn content(schema: Object, examples: Option<Object>) -> Object {
    let body = Object::new()
        .with("schema", schema)
        .maybe("examples", examples);
    Object::new().with("application/json", body)
}

/// Returns a response with a JSON body.
fn response(description: &str, schema: Object, examples: Option<Object>) -> Object {
    Object::new()
        .with("description", description)
        .with("content", content(schema, examples))
}

/// Returns the responses of a procedure, of which it shares some with others and the rest are its own.
fn responses(
    procedure: &ProcedureDescription,
    shared: &[(u16, &str)],
    own: BTreeMap<u16, Json>,
) -> Object {
    let guards = OF_GUARDS.iter().filter(|_| procedure.is_restricted());
    let mut all: BTreeMap<u16, Json> = shared
        .iter()
        .chain(guards)
        .map(|(status, name)| {
            let target = format!("#/components/responses/{name}");
            (*status, reference(&target).into())
        })
        .collect();
    all.extend(own);
    all.into_iter()
        .map(|(status, it)| (status.to_string(), it))
        .collect()
}

/// Returns the schema of a response. Its title becomes the name of a type in generated clients.
fn envelope(title: String, member: &str, schema: Json) -> Object {
    let version = Object::new().with("type", "string").with("const", "2.0");
    let properties = Object::new()
        .with("jsonrpc", version)
        .with(member, schema)
        .with("id", own(OWN_SCHEMAS[0]));
    Object::new()
        .with("title", title)
        .with("type", "object")
        .list("required", ["jsonrpc", member, "id"])
        .with("properties", properties)
}

fn error(description: &str, code: Object, message: &str, data: Option<Json>) -> Object {
    let message = Object::new()
        .with("type", "string")
        .list("examples", Some(message).filter(|it| !it.is_empty()));
    let properties = Object::new()
        .with("code", code)
        .with("message", message)
        .with("data", data.unwrap_or_else(|| Object::new().into()));
    Object::new()
        .with("description", description)
        .with("type", "object")
        .list("required", ["code", "message"])
        .with("properties", properties)
}

/// Returns the schema of the errors of the protocol.
pub(super) fn protocol_error() -> Object {
    let mut description = "An error of the protocol:\n".to_owned();
    for error in PROTOCOL_ERRORS {
        // Writing into memory cannot fail.
        let _ = write!(description, "\n- `{}`: {}", error.code, error.message);
    }
    let codes = PROTOCOL_ERRORS.iter().map(|error| error.code);
    let code = Object::new().with("type", "integer").list("enum", codes);
    error(&description, code, "", None)
}

impl Writing<'_> {
    /// Returns the responses to POST.
    pub(super) fn of_post(
        &self,
        procedure: &ProcedureDescription,
        examples: &[NamedExample<'_>],
    ) -> Object {
        let title = |member: &str| format!("{} {member}", procedure.name);
        let results = envelope(title("result"), "result", self.result(procedure));
        let errors = self.errors(procedure, procedure.errors.iter());
        let errors = envelope(title("error"), "error", errors);
        let messages = messages(examples, |(example, _)| {
            let (member, value) = example
                .result
                .as_ref()
                .map(|it| ("result", it))
                .or(example.error.as_ref().map(|it| ("error", it)))?;
            Some(message(member, value, Json::from(1)))
        });
        let either = one_of([results, errors, own(OWN_SCHEMAS[4])]);
        let meaning = "The result, or an error. A batch gets an array.";
        let answer = response(meaning, either, messages);
        responses(procedure, &OF_POST, [(200, answer.into())].into())
    }

    /// Returns the responses to GET.
    pub(super) fn of_get(
        &self,
        procedure: &ProcedureDescription,
        examples: &[NamedExample<'_>],
    ) -> Object {
        let messages = messages(examples, |(example, _)| {
            let result = example.result.as_ref()?;
            Some(message("result", result, Json::Null))
        });
        let title = format!("{} result", procedure.name);
        let results = envelope(title, "result", self.result(procedure));
        let answer = response("The result.", results, messages);
        let mut own: BTreeMap<u16, Json> = [(200, answer.into())].into();
        let mut declared: BTreeMap<u16, Vec<&ErrorDescription>> = BTreeMap::new();
        for error in &procedure.errors {
            declared
                .entry(error.status.unwrap_or(500))
                .or_default()
                .push(error);
        }
        for (status, errors) in declared {
            let meanings: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
            let schema = self.errors(procedure, errors.into_iter());
            let title = format!("{} error {status}", procedure.name);
            let response = response(&meanings.join("; "), envelope(title, "error", schema), None);
            own.insert(status, response.into());
        }
        let has_rate = || procedure.limits.as_ref()?.rate.as_ref();
        let is_counted = procedure.is_restricted() || has_rate().is_some();
        let shared = &OF_GET[usize::from(!is_counted)..];
        responses(procedure, shared, own)
    }

    fn result(&self, procedure: &ProcedureDescription) -> Json {
        let Some(returns) = &procedure.returns else {
            return Object::new().into();
        };
        with_annotations(
            self.schemas.schema(&returns.schema),
            returns.description.as_ref(),
            None,
        )
    }

    /// Returns the schema of some declared errors of a procedure, or any that need no declaration.
    fn errors<'e>(
        &self,
        procedure: &ProcedureDescription,
        errors: impl Iterator<Item = &'e ErrorDescription>,
    ) -> Json {
        let is_open = procedure.errors_open || procedure.is_restricted();
        let others = own(OWN_SCHEMAS[if is_open { 1 } else { 2 }]);
        let declared = errors.map(|it| {
            let code = Object::new().with("type", "integer").with("const", it.code);
            let description = it.description.as_ref().unwrap_or(&it.message);
            let data = it.data.as_ref().map(|data| self.schemas.schema(data));
            error(description, code, &it.message, data)
                // The code tells its type in generated clients from that of the data.
                .with("title", format!("{} ({})", it.message, it.code))
                .maybe("x-retry", it.retry)
        });
        let mut declared = declared.peekable();
        if declared.peek().is_none() {
            return others.into();
        }
        any_of(declared.chain([others])).into()
    }
}

fn message(member: &str, value: &Json, id: Json) -> Object {
    Object::new()
        .with("jsonrpc", "2.0")
        .with(member, value)
        .with("id", id)
}
