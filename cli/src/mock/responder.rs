//! The answers of a mock: JSON-RPC 2.0, by the description alone.
//!
//! A mock checks parameters with the binding of `docent-core`, so that what it accepts is what a real
//! service accepts. It has no handlers, so it does not use the dispatch of `docent-core`: results and items
//! come from examples and schemas.

use std::sync::Arc;

use docent_core::{Arguments, Fault, code};
use docent_describe::json::{Json, Object};
use docent_describe::render::{self, OpenRpcOptions};
use docent_describe::schema::{Examples, SchemaViews, Side, Validator};
use docent_describe::{Example, ProcedureDescription, ServiceDescription, SimilarNames};
use docent_tools::locate::spans;
use docent_tools::params::is_list;

use super::stream::MockStream;
use crate::call::request::{fault_data, query_params};

/// The message of the error of a call that no result can be made for.
const NO_RESULT: &str =
    "No value could be made that fits the schema of the result; give the procedure an example";

/// The procedure that ends a subscription.
const UNSUBSCRIBE: &str = "rpc.unsubscribe";

/// Responds to calls of a described service.
pub(super) struct Responder {
    service: Arc<ServiceDescription>,
    /// The parameters that each procedure takes, in the order of `service`.
    arguments: Vec<Arguments>,
}

/// The outcome of a call: its result, or the error object.
pub(super) type MockOutcome = Result<Json, Json>;

/// Returns the outcome with an error object.
fn error(code: i64, message: &str, data: Option<Json>) -> MockOutcome {
    let error = Object::new()
        .with("code", code)
        .with("message", message)
        .maybe("data", data);
    Err(error.into())
}

fn protocol_error(code: i64, data: Option<Json>) -> MockOutcome {
    error(code, code::message(code), data)
}

fn invalid_request(reason: &str) -> MockOutcome {
    let data = Object::new().with("reason", reason);
    protocol_error(code::INVALID_REQUEST, Some(data.into()))
}

/// Returns the outcome of a call whose parameters do not fit.
fn fault_outcome(fault: &Fault) -> MockOutcome {
    error(fault.code(), fault.message(), fault_data(fault))
}

/// Returns the response to the call with this id, which is JSON text.
pub(super) fn response(outcome: &MockOutcome, id: &str) -> String {
    let (name, value) = match outcome {
        Ok(result) => ("result", result),
        Err(error) => ("error", error),
    };
    format!("{{\"jsonrpc\":\"2.0\",\"{name}\":{value},\"id\":{id}}}")
}

impl Responder {
    pub(super) fn new(service: Arc<ServiceDescription>) -> Self {
        Self {
            arguments: Arguments::of_all(&service).collect(),
            service,
        }
    }

    /// Returns the description.
    pub(super) fn description(&self) -> Json {
        render::describe(&self.service)
    }

    /// Responds to a body. Returns `None` if there is nothing to say.
    pub(super) fn exchange(&self, body: &[u8], stream: Option<&mut MockStream>) -> Option<String> {
        let text = std::str::from_utf8(body).unwrap_or_default();
        match text.parse::<Json>() {
            Err(_) => Some(response(&protocol_error(code::PARSE_ERROR, None), "null")),
            Ok(Json::Array(batch)) if !batch.is_empty() => {
                let mut responses = Vec::new();
                for (index, call) in batch.iter().enumerate() {
                    responses.extend(self.respond(text, &format!("/{index}"), call, None));
                }
                if responses.is_empty() {
                    None
                } else {
                    Some(format!("[{}]", responses.join(",")))
                }
            }
            Ok(call) => self.respond(text, "", &call, stream),
        }
    }

    /// Responds to a message, which is at this pointer of the text.
    fn respond(
        &self,
        text: &str,
        pointer: &str,
        message: &Json,
        stream: Option<&mut MockStream>,
    ) -> Option<String> {
        let pointer = format!("{pointer}/id");
        // The id comes back as it was written.
        let id = spans(text, &[&*pointer])
            .remove(&*pointer)
            .map(|span| &text[span]);
        let is_id = matches!(
            message.get("id"),
            None | Some(Json::Null | Json::Number(_) | Json::String(_))
        );
        let version = message.get_str("jsonrpc");
        let is_request = is_id && version == Some("2.0");
        let name = message.get_str("method");
        let outcome = match (name, message.get("params")) {
            (Some(_), Some(Json::String(_) | Json::Number(_) | Json::Bool(_))) if is_request => {
                invalid_request("params are an array or an object")
            }
            (Some(name), params) if is_request => {
                let id = id?;
                return Some(response(&self.call(name, params, stream), id));
            }
            _ => invalid_request("not a request of JSON-RPC 2.0"),
        };
        let id = id.filter(|_| is_id).unwrap_or("null");
        Some(response(&outcome, id))
    }

    /// Calls a procedure. A subscription needs a stream.
    fn call(
        &self,
        name: &str,
        params: Option<&Json>,
        stream: Option<&mut MockStream>,
    ) -> MockOutcome {
        match (name, &stream) {
            ("rpc.describe", _) => return Ok(self.description()),
            ("rpc.discover", _) => {
                return Ok(render::openrpc(&self.service, OpenRpcOptions::default()));
            }
            (UNSUBSCRIBE, Some(stream)) => return Ok(stream.is_open(params).into()),
            _ => {}
        }
        let Some((procedure, arguments)) = self.find(name) else {
            return self.unknown(name);
        };
        // Null stands for no parameters.
        let params = params.filter(|params| **params != Json::Null);
        let text = params.map_or("null".to_owned(), Json::to_string);
        match arguments.check(&text) {
            Err(fault) => fault_outcome(&fault),
            Ok(()) if procedure.is_a_call() => self.outcome(procedure, params),
            Ok(()) => match stream {
                Some(stream) => self.subscribe(procedure, params, stream),
                None => self.needs_connection(),
            },
        }
    }

    /// Calls a procedure with the parameters of a query. Also returns its description.
    pub(super) fn query(
        &self,
        name: &str,
        query: &[(String, String)],
        stream: Option<&mut MockStream>,
    ) -> (Option<&ProcedureDescription>, MockOutcome) {
        let Some((procedure, arguments)) = self.find(name) else {
            return (None, self.call(name, None, None));
        };
        let outcome = if procedure.idempotent {
            match query_params(arguments, query) {
                Ok(params) => self.call(name, Some(&params), stream),
                Err(fault) => fault_outcome(&fault),
            }
        } else {
            protocol_error(code::NOT_CALLABLE_WITH_GET, None)
        };
        (Some(procedure), outcome)
    }

    /// Returns the procedures that can be called.
    fn procedures(&self) -> impl Iterator<Item = &ProcedureDescription> {
        self.service
            .procs
            .iter()
            .filter(|procedure| procedure.is_called_by_clients())
    }

    /// Finds a procedure that can be called, with the binding of its parameters.
    fn find(&self, name: &str) -> Option<(&ProcedureDescription, &Arguments)> {
        self.service
            .procs
            .iter()
            .zip(&self.arguments)
            .find(|(procedure, _)| procedure.name == name && procedure.is_called_by_clients())
    }

    /// Returns the outcome of a call to a procedure that does not exist, with similar names.
    fn unknown(&self, name: &str) -> MockOutcome {
        let names = self.procedures().map(|procedure| &*procedure.name);
        let closest: Vec<Json> = SimilarNames::new(names)
            .closest(name, 3)
            .into_iter()
            .map(Json::from)
            .collect();
        let mut data = None;
        if !closest.is_empty() {
            data = Some(Object::new().with("closest", Json::Array(closest)).into());
        }
        protocol_error(code::METHOD_NOT_FOUND, data)
    }

    /// Returns the example with the same parameters, or with the same but for the cursor, or the first one. Only the
    /// first may be a failure.
    fn example<'p>(
        &self,
        procedure: &'p ProcedureDescription,
        params: Option<&Json>,
    ) -> Option<&'p Example> {
        // An example that breaks the description is not what the service would answer.
        let validator = Validator::new(&*self.service);
        let sound: Vec<&Example> = procedure
            .examples
            .iter()
            .filter(|example| !validator.is_broken(procedure, example))
            .collect();
        let given = members(procedure, params);
        for example in &sound {
            if members(procedure, example.params.as_ref()) == given {
                return Some(example);
            }
        }
        // Any example tells more than a value that is made from the schema.
        let successes: Vec<&Example> = sound
            .into_iter()
            .filter(|example| {
                example.error.is_none() && (example.result.is_some() || example.items.is_some())
            })
            .collect();
        let given = without_cursor(procedure, given);
        for example in &successes {
            let example_params = members(procedure, example.params.as_ref());
            if without_cursor(procedure, example_params) == given {
                return Some(example);
            }
        }
        successes.first().copied()
    }

    /// Returns the outcome of an example, or a value that fits the schema of the result.
    fn outcome(&self, procedure: &ProcedureDescription, params: Option<&Json>) -> MockOutcome {
        if let Some(example) = self.example(procedure, params) {
            match (&example.error, &example.result) {
                (Some(error), _) => return Err(error.clone()),
                (None, Some(result)) => return Ok(result.clone()),
                (None, None) => {}
            }
        }
        self.made_outcome(procedure)
    }

    /// Opens a subscription, whose answer is its id. Its items are those of an example, or one that fits their schema.
    fn subscribe(
        &self,
        procedure: &ProcedureDescription,
        params: Option<&Json>,
        stream: &mut MockStream,
    ) -> MockOutcome {
        if stream.is_after_end() {
            return protocol_error(code::CANNOT_RESUME, None);
        }
        let example = self.example(procedure, params);
        let items = match example {
            Some(Example {
                error: Some(error), ..
            }) => return Err(error.clone()),
            Some(Example {
                items: Some(items), ..
            }) => items.clone(),
            _ => vec![self.made_outcome(procedure)?],
        };
        // An example that begins after a cursor shows the items behind it.
        let example = members(
            procedure,
            example.and_then(|example| example.params.as_ref()),
        );
        let first = 1 + cursor(procedure, example.as_ref()).unwrap_or(0);
        let after = cursor(procedure, members(procedure, params).as_ref());
        Ok(stream.open(procedure, &items, first, after).into())
    }

    /// Returns the error of a subscription that only one exchange can carry.
    fn needs_connection(&self) -> MockOutcome {
        let names = self
            .service
            .carriers
            .iter()
            .filter(|carrier| carrier.name != "http")
            .map(|carrier| Json::from(&*carrier.name))
            .collect();
        let data = Object::new().with("carriers", Json::Array(names));
        protocol_error(code::NEEDS_A_CONNECTION, Some(data.into()))
    }

    /// Returns the outcome with a value that is made from the schema of the result.
    fn made_outcome(&self, procedure: &ProcedureDescription) -> MockOutcome {
        match self.made_result(procedure) {
            Some(result) => Ok(result),
            None => error(code::BUSY, NO_RESULT, None),
        }
    }

    /// Returns a value that fits the schema of the result or of an item, if one can be made.
    fn made_result(&self, procedure: &ProcedureDescription) -> Option<Json> {
        let Some(returns) = procedure.output() else {
            return Some(Json::Null);
        };
        let views = SchemaViews::new(&*self.service);
        Examples::new(&self.service.components.schemas)
            .value_for(views.view_of_schema(&returns.schema), Some(Side::Output))
    }

    /// Returns the procedures that no result can be made for, and that have no example with one.
    pub(super) fn without_result(&self) -> impl Iterator<Item = &ProcedureDescription> {
        self.procedures().filter(|procedure| {
            let example = self.example(procedure, None);
            let is_shown = example.is_some_and(|example| {
                example.error.is_some() || example.result.is_some() || example.items.is_some()
            });
            !is_shown && self.made_result(procedure).is_none()
        })
    }
}

/// Returns the parameters by their own names, with defaults, so that two ways to write a call are equal.
fn members(procedure: &ProcedureDescription, params: Option<&Json>) -> Option<Object> {
    // A list without elements may be left out.
    let empty = Json::Array(Vec::new());
    let params = params.or(is_list(procedure).then_some(&empty));
    let given = procedure.named_params(params)?;
    let mut all = Object::new();
    for param in &procedure.params {
        let value = given.get(&param.name).or(param.default.as_ref());
        if let Some(value) = value.filter(|value| **value != Json::Null) {
            all.insert(param.name.as_str(), value.clone());
        }
    }
    Some(all)
}

/// Returns the parameters without the one that takes a cursor.
fn without_cursor(procedure: &ProcedureDescription, params: Option<Object>) -> Option<Object> {
    let mut params = params?;
    if let Some(resume) = resume(procedure) {
        params.shift_remove(resume);
    }
    Some(params)
}

/// Returns the cursor among the parameters, if it is one of a mock.
fn cursor(procedure: &ProcedureDescription, params: Option<&Object>) -> Option<i64> {
    let cursor = params?.get(resume(procedure)?)?;
    cursor.as_i64().or_else(|| cursor.as_str()?.parse().ok())
}

/// Returns the name of the parameter that takes a cursor.
fn resume(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.subscription.as_ref()?.resume.as_deref()
}
