//! A bank whose payments must not be made twice, and its callers' view of it.
//!
//! The tests of each database bring the handler of `pay`, which inserts a row and returns its number. So a payment that is
//! made twice is seen in the table and in the answer.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::carrier::Incoming;
use docent_core::{CallRecord, Observer, Procedure, Service, ServiceBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// The code of the error for an account that does not exist.
pub(crate) const NO_ACCOUNT: i64 = 1404;

pub(crate) fn builder() -> ServiceBuilder {
    Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c53")
}

/// The parameters of the procedure.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Payment {
    pub(crate) account: String,
}

/// Marks a procedure as repeatable, and declares its error.
pub(crate) fn repeatable<S: Send + Sync + 'static>(
    procedure: Procedure<S>,
    time: Duration,
) -> Procedure<S> {
    procedure
        .error(NO_ACCOUNT, "No such account")
        .repeatable(time)
        .keys_without_caller()
}

/// The answer to a caller.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Response {
    /// The result, or the error.
    pub(crate) value: Value,
    pub(crate) code: Option<i64>,
    pub(crate) is_replayed: bool,
}

/// Returns the answer with a result, of a call that has run.
pub(crate) fn done(result: impl Into<Value>) -> Response {
    Response {
        value: result.into(),
        code: None,
        is_replayed: false,
    }
}

/// Returns the same answer to a repetition.
pub(crate) fn again(response: &Response) -> Response {
    Response {
        is_replayed: true,
        ..response.clone()
    }
}

/// Pays to an account, with a key unless it is empty.
pub(crate) async fn pay(service: &Service, account: &str, key: &str) -> Response {
    let mut request = json!({"jsonrpc": "2.0", "method": "pay", "params": [account], "id": 1});
    if !key.is_empty() {
        request["x-idempotency-key"] = key.into();
    }
    let reply = service.exchange(Incoming::new(request.to_string())).await;
    let mut body: Value =
        serde_json::from_slice(&reply.body().expect("it has an id")).expect("JSON");
    let code = reply.error_code();
    let member = if code.is_some() { "error" } else { "result" };
    Response {
        value: body[member].take(),
        code,
        is_replayed: reply.is_replayed(),
    }
}

/// The parts of a call that an observer has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) is_replayed: bool,
    /// True if the result broke the description.
    pub(crate) is_mismatch: bool,
}

/// Notes each call that has ended.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<Note>>>);

impl Notes {
    pub(crate) fn all(&self) -> Vec<Note> {
        self.0.lock().expect("no panic").clone()
    }
}

impl Observer for Notes {
    fn finished(&self, call: &CallRecord<'_>) {
        self.0.lock().expect("no panic").push(Note {
            is_replayed: call.replayed,
            is_mismatch: call.mismatch,
        });
    }
}
