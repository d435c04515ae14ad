//! Reports internal errors: to the log, or to the runtime if the log goes nowhere.
//!
//! A caller gets only the ID of an incident. The cause is for operators, who find it in the log
//! under this ID; a service without a `tracing` subscriber must not lose it.

use std::fmt;
use std::fmt::Write as _;

use docent_describe::json::shorten_quoted;
use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;

use crate::extensions::Extensions;
use crate::incident::Incident;
use crate::panic::{Panic, caught};
use crate::request_id::RequestId;
use crate::runtime::Runtime;

/// The maximum number of characters of a text in a line.
const MAX_LOGGED_CHARS: usize = 400;

/// The context of an internal error: procedure, incident and request.
#[derive(Clone, Copy)]
pub(crate) struct Report<'a> {
    pub(crate) procedure: &'a str,
    pub(crate) runtime: Option<&'a dyn Runtime>,
    /// The ID that the caller gets, if it gets one.
    pub(crate) incident: Option<Incident>,
    pub(crate) request_id: Option<&'a RequestId>,
}

impl<'a> Report<'a> {
    /// Creates a report for which there is no caller to inform.
    pub(crate) fn new(procedure: &'a str, runtime: Option<&'a dyn Runtime>) -> Self {
        Self {
            procedure,
            runtime,
            incident: None,
            request_id: None,
        }
    }

    /// Adds the request ID from these extensions.
    pub(crate) fn with_request_id(self, extensions: Option<&'a Extensions>) -> Self {
        let request_id = extensions.and_then(Extensions::request_id);
        Self { request_id, ..self }
    }

    /// Reports that a procedure failed for a reason that is not for the caller.
    #[cold]
    pub(crate) fn failed(&self, cause: &str) {
        self.log("a procedure failed", None, Some(cause));
    }

    /// Reports that a procedure returned a code that it may not use, with a message.
    #[cold]
    pub(crate) fn misused(&self, what: &str, code: i64, message: &str) {
        self.log(what, Some((code, message)), None);
    }

    /// Reports a panic, and drops it.
    #[cold]
    pub(crate) fn panicked(&self, who: &str, panic: Panic) {
        self.log(&format!("{who} panicked"), None, Some(panic.cause()));
        panic.let_go();
    }

    /// Reports a problem after which the call continues.
    #[cold]
    pub(crate) fn noticed(&self, what: fmt::Arguments<'_>) {
        self.log("a promise was broken", None, Some(&what.to_string()));
    }

    /// Writes to the log, or passes one line to the runtime if the log goes nowhere.
    fn log(&self, what: &str, returned: Option<(i64, &str)>, cause: Option<&str>) {
        let procedure = self.procedure;
        let incident = self.incident.as_ref().map(Incident::as_str);
        let request_id = self.request_id.map(RequestId::as_str);
        let (code, message) = returned.unzip();
        tracing::error!(
            procedure,
            incident = incident.map(display),
            request_id,
            code,
            said = message,
            cause,
            "{what}"
        );
        let Some(runtime) = self.runtime.filter(|_| is_log_unread()) else {
            return;
        };
        let code = code.map(|code| code.to_string());
        let mut line = what.to_owned();
        add(&mut line, "procedure", Some(&quoted(procedure)));
        add(&mut line, "incident", incident);
        add(&mut line, "request_id", request_id);
        add(&mut line, "code", code.as_deref());
        add(&mut line, "said", message.map(quoted).as_deref());
        add(&mut line, "cause", cause.map(quoted).as_deref());
        // A panic here does not change the response to the call.
        if let Err(panic) = caught(|| runtime.report(&line)) {
            panic.let_go();
        }
    }
}

/// Returns whether this thread has no subscriber, so that events are lost.
fn is_log_unread() -> bool {
    tracing::dispatcher::get_default(Dispatch::is::<NoSubscriber>)
}

/// Returns a text as it stands in a line: escaped and shortened, because it may come from a caller.
fn quoted(text: &str) -> String {
    shorten_quoted(text, MAX_LOGGED_CHARS)
}

/// Adds a field to a line, if it has a value.
fn add(line: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        // Writing to a `String` cannot fail.
        let _ = write!(line, " {name}={value}");
    }
}
