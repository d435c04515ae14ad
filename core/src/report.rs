//! Reports internal errors: to the log, or to the runtime if the log goes nowhere.

use std::fmt;
use std::fmt::Write as _;

use docent_describe::json::shorten_quoted;
use tracing::Dispatch;
use tracing::field::display;
use tracing::subscriber::NoSubscriber;

use crate::extensions::Extensions;
use crate::incident::Incident;
use crate::panic::{Panic, caught};
use crate::request_id::RequestId;
use crate::runtime::Runtime;

/// The maximum number of characters of a text that a line shows.
const SHOWN: usize = 400;

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
    pub(crate) fn of(self, extensions: Option<&'a Extensions>) -> Self {
        let request_id = extensions.and_then(Extensions::request_id);
        Self { request_id, ..self }
    }

    /// Returns the fields that every log entry has.
    fn fields(&self) -> (&'a str, Option<&str>, Option<&'a str>) {
        let incident = self.incident.as_ref().map(Incident::as_str);
        let request_id = self.request_id.map(RequestId::as_str);
        (self.procedure, incident, request_id)
    }

    /// Reports that a procedure failed for a reason that is not for the caller.
    #[cold]
    pub(crate) fn failed(&self, cause: &str) {
        let (procedure, incident, request_id) = self.fields();
        let incident = incident.map(display);
        tracing::error!(procedure, incident, request_id, cause, "a procedure failed");
        self.tell_runtime("a procedure failed", |line| add(line, "cause", cause));
    }

    /// Reports that a procedure returned a code that it may not use.
    #[cold]
    pub(crate) fn misused(&self, what: &str, code: i64, said: &str) {
        let (procedure, incident, request_id) = self.fields();
        let incident = incident.map(display);
        tracing::error!(procedure, incident, request_id, code, said, "{what}");
        self.tell_runtime(what, |line| {
            let _ = write!(line, " code={code}");
            add(line, "said", said);
        });
    }

    /// Reports a panic, and drops it.
    #[cold]
    pub(crate) fn panicked(&self, who: &str, panic: Panic) {
        let cause = panic.cause();
        let (procedure, incident, request_id) = self.fields();
        let incident = incident.map(display);
        tracing::error!(procedure, incident, request_id, cause, "{who} panicked");
        let what = format!("{who} panicked");
        self.tell_runtime(&what, |line| add(line, "cause", cause));
        panic.let_go();
    }

    /// Reports a problem that does not end the call.
    #[cold]
    pub(crate) fn noticed(&self, what: fmt::Arguments<'_>) {
        let (procedure, _, request_id) = self.fields();
        tracing::error!(procedure, request_id, "{what}");
        self.tell_runtime("a promise was broken", |line| {
            add(line, "cause", &what.to_string());
        });
    }

    /// Passes one line to the runtime if the log goes nowhere.
    fn tell_runtime(&self, what: &str, more: impl FnOnce(&mut String)) {
        let Some(runtime) = self.runtime.filter(|_| is_log_unread()) else {
            return;
        };
        let mut line = what.to_owned();
        add(&mut line, "procedure", self.procedure);
        if let Some(incident) = self.incident {
            // Writing to a `String` cannot fail.
            let _ = write!(line, " incident={incident}");
        }
        if let Some(id) = self.request_id {
            let _ = write!(line, " request_id={id}");
        }
        more(&mut line);
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

/// Adds a field. Its text may come from a caller, so it is escaped and shortened.
fn add(line: &mut String, name: &str, value: &str) {
    // Writing to a `String` cannot fail.
    let _ = write!(line, " {name}={}", shorten_quoted(value, SHOWN));
}
