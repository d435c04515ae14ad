//! Responses: envelopes with a result or an error, and their statuses.
//!
//! A response to POST has status 200 whether the call succeeds or not; one to GET has a status for
//! each error. The responses of every service to requests that never become calls are in `shared.json`.

use std::collections::{BTreeMap, HashSet};

use super::Writer;
use super::errors::error;
use super::examples::{NamedExample, messages};
use super::names::{BATCH_RESPONSE, ERROR, ID, PROTOCOL_ERROR, shared_schema, version};
use crate::json::{Json, Object};
use crate::render::schemas::{reference, with_annotations};
use crate::{ErrorDescription, ProcedureDescription, code};

/// The responses to POST without a result, and to requests that never become calls.
const POST_RESPONSES: [(u16, &str); 7] = [
    (204, "Notification"),
    (400, "BadRequest"),
    (408, "RequestTimeout"),
    (413, "ContentTooLarge"),
    (415, "UnsupportedMediaType"),
    (421, "MisdirectedRequest"),
    (503, "Unavailable"),
];
/// The responses to GET without a result.
const GET_RESPONSES: [(u16, &str); 7] = [
    (304, "NotModified"),
    (400, "BadRequest"),
    (414, "UriTooLong"),
    (421, "MisdirectedRequest"),
    (500, "InternalError"),
    (503, "Unavailable"),
    (504, "TimedOut"),
];
/// The response to GET of a caller that calls too often.
const TOO_MANY_REQUESTS: (u16, &str) = (429, "TooManyRequests");
/// The response that subscriptions lack.
const NOT_MODIFIED: u16 = 304;
/// The responses that only subscriptions have.
const SUBSCRIPTION_RESPONSES: [(u16, &str); 2] = [(406, "NeedsEventStream"), (410, "CannotResume")];
/// The response to GET of a caller who has seen the end of a subscription, but comes back by itself.
const OVER_RESPONSE: (u16, &str) = (204, "Over");
/// The responses of guards.
const GUARD_RESPONSES: [(u16, &str); 2] = [(401, "Unauthorized"), (403, "Forbidden")];

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

/// Returns the responses of a procedure: those that it shares with others, and its own.
fn responses(
    procedure: &ProcedureDescription,
    shared: &[(u16, &str)],
    own: BTreeMap<u16, Json>,
) -> Object {
    let mut all: BTreeMap<u16, Json> = shared.iter().map(shared_response).collect();
    if procedure.reads_credentials() {
        all.extend(GUARD_RESPONSES.iter().map(shared_response));
    }
    if procedure.subscription.is_some() {
        all.extend(SUBSCRIPTION_RESPONSES.iter().map(shared_response));
        all.remove(&NOT_MODIFIED);
    }
    all.extend(own);
    all.into_iter()
        .map(|(status, response)| (status.to_string(), response))
        .collect()
}

/// Returns a status with a reference to its response.
fn shared_response((status, name): &(u16, &str)) -> (u16, Json) {
    let target = format!("#/components/responses/{name}");
    (*status, reference(&target).into())
}

/// Returns the schema of a response. Its title becomes the name of a type in generated clients.
pub(super) fn envelope(title: String, member: &str, schema: Json) -> Object {
    let properties = Object::new()
        .with("jsonrpc", version())
        .with(member, schema)
        .with("id", shared_schema(ID));
    Object::new()
        .with("title", title)
        .with("type", "object")
        .list("required", ["jsonrpc", member, "id"])
        .with("properties", properties)
}

impl Writer<'_> {
    /// Returns the responses to POST.
    pub(super) fn post_responses(
        &self,
        procedure: &ProcedureDescription,
        examples: &[NamedExample<'_>],
    ) -> Object {
        let error_title = format!("{} error", procedure.name);
        let error = self.errors(procedure, procedure.errors.iter(), &error_title);
        let errors = envelope(error_title, "error", error);
        let to_batch = shared_schema(BATCH_RESPONSE);
        let title = format!("{} response", procedure.name);
        let messages = messages(examples, |NamedExample { example, .. }| {
            match (&example.result, &example.error) {
                (Some(result), _) => Some(message("result", result, Json::from(1))),
                // That of an example with items is the end of a subscription.
                (None, Some(error)) if example.items.is_none() => {
                    Some(message("error", error, Json::from(1)))
                }
                (None, _) => None,
            }
        });
        if let Some(subscription) = &procedure.subscription {
            let events = self.events(procedure, subscription, examples);
            let either = one_of(title, [errors, to_batch]);
            let content = content(either, messages).with("text/event-stream", events);
            let description =
                "Events with a message each, or an error before the first. A batch gets an array.";
            let success = Object::new()
                .with("description", description)
                .with("content", content);
            return responses(procedure, &POST_RESPONSES, [(200, success.into())].into());
        }
        let result_title = format!("{} result", procedure.name);
        let results = envelope(result_title, "result", self.result(procedure));
        let either = one_of(title, [results, errors, to_batch]);
        let description = "The result, or an error. A batch gets an array.";
        let success = response(description, either, messages);
        responses(procedure, &POST_RESPONSES, [(200, success.into())].into())
    }

    /// Returns the responses to GET.
    pub(super) fn get_responses(
        &self,
        procedure: &ProcedureDescription,
        examples: &[NamedExample<'_>],
    ) -> Object {
        let mut own: BTreeMap<u16, Json> = BTreeMap::new();
        let success = if let Some(subscription) = &procedure.subscription {
            own.extend([shared_response(&OVER_RESPONSE)]);
            let events = self.events(procedure, subscription, examples);
            let content = Object::new().with("text/event-stream", events);
            Object::new()
                .with("description", "Events with a message each.")
                .with("content", content)
        } else {
            let messages = messages(examples, |named| {
                let result = named.example.result.as_ref()?;
                Some(message("result", result, Json::Null))
            });
            let title = format!("{} result", procedure.name);
            let results = envelope(title, "result", self.result(procedure));
            response("The result.", results, messages)
        };
        own.insert(200, success.into());
        let mut declared: BTreeMap<u16, Vec<&ErrorDescription>> = BTreeMap::new();
        for error in &procedure.errors {
            declared
                .entry(error.status.unwrap_or(500))
                .or_default()
                .push(error);
        }
        for (status, errors) in declared {
            let meanings: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
            let title = format!("{} error {status}", procedure.name);
            let schema = self.errors(procedure, errors.into_iter(), &title);
            let response = response(&meanings.join("; "), envelope(title, "error", schema), None);
            own.insert(status, response.into());
        }
        let has_rate = procedure
            .limits
            .as_ref()
            .is_some_and(|limits| limits.rate.is_some());
        if procedure.reads_credentials() || has_rate {
            let (status, response) = shared_response(&TOO_MANY_REQUESTS);
            own.entry(status).or_insert(response);
        }
        responses(procedure, &GET_RESPONSES, own)
    }

    /// Returns the schema of the result; anything if it is unknown.
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

    /// Returns the schema of some declared errors of a procedure, or any that need no declaration, in an envelope of
    /// this title.
    ///
    /// Generators read the alternatives of `oneOf` better than those of `anyOf`, of which some make one type. So it is
    /// used where the codes distinguish all errors.
    pub(super) fn errors<'e>(
        &self,
        procedure: &ProcedureDescription,
        declared: impl Iterator<Item = &'e ErrorDescription>,
        envelope_title: &str,
    ) -> Json {
        let is_open = procedure.errors_open || procedure.reads_credentials();
        let others = shared_schema(if is_open { ERROR } else { PROTOCOL_ERROR });
        let mut codes = HashSet::new();
        let mut have_distinct_codes = !is_open;
        let mut schemas = Vec::new();
        for error in declared {
            have_distinct_codes &= codes.insert(error.code) && code::find(error.code).is_none();
            schemas.push(self.declared_error(error));
        }
        if schemas.is_empty() {
            return others.into();
        }
        schemas.push(others);
        let keyword = if have_distinct_codes {
            "oneOf"
        } else {
            "anyOf"
        };
        Object::new()
            .list(keyword, schemas)
            .with("title", format!("{envelope_title} kind"))
            .into()
    }

    /// Returns the schema of a declared error.
    fn declared_error(&self, declared: &ErrorDescription) -> Object {
        let code = Object::new()
            .with("type", "integer")
            .with("const", declared.code);
        let message = &declared.message;
        let description = declared.description.as_ref().unwrap_or(message);
        let data = declared.data.as_ref().map(|data| self.schemas.schema(data));
        error(description, code, message, data)
            // With the code, its type in generated clients has another name than that of the data.
            .with("title", format!("{message} {}", declared.code))
            .maybe("x-retry", declared.retry)
    }
}

/// Returns the schema of a value that one of the alternatives describes.
fn one_of<const N: usize>(title: String, alternatives: [Object; N]) -> Object {
    Object::new()
        .list("oneOf", alternatives)
        .with("title", title)
}

/// Returns a response as it is sent, for an example.
fn message(member: &str, value: &Json, id: Json) -> Object {
    Object::new()
        .with("jsonrpc", "2.0")
        .with(member, value)
        .with("id", id)
}
