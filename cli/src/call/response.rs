//! Reads the responses to calls, and puts their errors into words.
//!
//! The text of a result is kept as it came, because a program that reads it may care for the digits of a
//! number or the order of members.

use docent_describe::code::{self, HasRun, Retry};
use docent_describe::json::Json;
use docent_describe::{Credential, Origin, ProcedureDescription, ServiceDescription};

use crate::failure::Failure;
use crate::remote::Remote;
use crate::terminal::{Terminal, one_line};
use docent_tools::locate::spans;
use docent_tools::params::reason;

/// The id of a call. Only one call is open at a time.
pub(super) const CALL_ID: &str = "1";

/// A response to one call.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CallReply {
    /// The response as it was received.
    pub(super) text: String,
    /// The text of the result, or the error.
    pub(super) outcome: Result<String, Json>,
    /// The id as it is written in the response.
    pub(super) id: Option<String>,
}

impl CallReply {
    /// Reads a response. Returns `None` if the text is not a response.
    pub(super) fn read(text: &str) -> Option<Self> {
        let json: Json = text.parse().ok()?;
        let mut spans = spans(text, &["/result", "/id"]);
        let error = json.get("error").filter(|error| **error != Json::Null);
        let outcome = match (error, spans.remove("/result")) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(result)) => Ok(text[result].to_owned()),
            (None, None) => return None,
        };
        Some(Self {
            text: text.to_owned(),
            outcome,
            id: spans.remove("/id").map(|id| text[id].to_owned()),
        })
    }

    /// Returns whether this is the response to a single call.
    pub(super) fn is_of_call(&self) -> bool {
        self.id.as_deref() == Some(CALL_ID)
    }
}

/// Prints a result: indented for a person, unchanged for a program.
pub(super) fn print(text: &str, terminal: Terminal) -> Result<(), Failure> {
    match text.parse::<Json>() {
        Ok(json) if terminal.is_terminal() => terminal.write_json(&format!("{json:#}")),
        _ => terminal.write_json(text),
    }
}

/// Turns an error response into a failure of the command.
pub(super) fn failure(
    error: &Json,
    procedure: Option<&ProcedureDescription>,
    service: &ServiceDescription,
) -> Failure {
    let code = error.get("code").map(Json::to_string).unwrap_or_default();
    let message = match error.get_str("message") {
        Some(message) => one_line(message),
        None => one_line(&error.to_string()),
    };
    let mut lines = vec![format!("error {code}: {message}")];
    lines.extend(declared(error, procedure));
    // The codes of others may mean anything.
    if service.origin == Origin::Docent {
        lines.extend(explained(error, procedure, service));
    }
    // JSON-RPC 1.1 puts the data into an error of its own.
    let data = error
        .get("data")
        .or_else(|| error.get("error")?.get("data"));
    if let Some(data) = data.filter(|data| **data != Json::Null) {
        lines.extend(reasons(data).unwrap_or_else(|| as_json(data)));
    }
    Failure::negative(lines.join("\n  "))
}

/// Returns the description's text about an error.
fn declared(error: &Json, procedure: Option<&ProcedureDescription>) -> Option<String> {
    let code = error.get("code")?.as_i64()?;
    let message = error.get_str("message");
    let text = procedure?
        .errors
        .iter()
        .filter(|declared| declared.code == code)
        .min_by_key(|declared| Some(&*declared.message) != message)?
        .description
        .as_deref()?;
    let first_paragraph = text.split("\n\n").next().unwrap_or_default();
    Some(one_line(first_paragraph)).filter(|text| !text.is_empty())
}

/// Explains an error with one of Docent's own codes: what to do about it. The options of the command are named
/// here, and the table of codes says the rest.
fn explained(
    error: &Json,
    procedure: Option<&ProcedureDescription>,
    service: &ServiceDescription,
) -> Option<String> {
    let code = error.get("code")?.as_i64()?;
    let known = code::find(code).filter(|_| !code::SPECIFIED.contains(&code))?;
    let started = error.get("data").and_then(|data| data.get("started"));
    let ran = match known.ran {
        HasRun::No => "it did not run",
        _ => "it may have had an effect",
    };
    let text = match (code, known.retry) {
        (code::NOT_CALLABLE_WITH_GET, _) => "leave --get out",
        (code::KEY_USED_OTHERWISE, _) => "use a new key (--idempotency-key auto)",
        (code::REFUSED, _) => return needs(procedure?, service),
        (_, Retry::IfSafe) if started == Some(&Json::Bool(false)) => {
            "it never ran: repeat the call"
        }
        (_, Retry::Never) => known.advice,
        (_, retry) if retry.helps() => return Some(format!("{ran}: repeat the call later")),
        _ => ran,
    };
    Some(text.to_owned())
}

/// Returns the credentials that a procedure needs, and how to give them.
fn needs(procedure: &ProcedureDescription, service: &ServiceDescription) -> Option<String> {
    let mut needs = Vec::new();
    for requirement in &procedure.security {
        if requirement.optional {
            continue;
        }
        let one_of: Vec<_> = requirement
            .one_of
            .iter()
            .filter_map(|credential| need(credential, service))
            .collect();
        if !one_of.is_empty() {
            needs.push(one_of.join(" or "));
        }
    }
    if needs.is_empty() {
        return None;
    }
    Some(format!("needs {}", needs.join(", and ")))
}

/// Returns a credential, and how to give it.
fn need(credential: &Credential, service: &ServiceDescription) -> Option<String> {
    let Credential { scheme, scopes, .. } = credential;
    let described = service.security_schemes.get(scheme)?;
    let kind = described.get_str("type")?;
    let http_scheme = described.get_str("scheme");
    let location = described.get_str("in");
    let mut need = match (kind, http_scheme, location) {
        ("http", Some("basic"), _) => {
            "a user name and a password: http://USER:PASSWORD@…".to_owned()
        }
        ("apiKey", _, Some("header")) => {
            let field = described.get_str("name")?;
            format!("the header field {field}: DOCENT_API_KEY or -H '{field}: …'")
        }
        ("http", Some(other), _) if !other.eq_ignore_ascii_case("bearer") => {
            format!("the header field Authorization: -H 'Authorization: {other} …'")
        }
        ("http" | "oauth2" | "openIdConnect", ..) => {
            "a bearer token: --token-file or DOCENT_TOKEN".to_owned()
        }
        _ => format!("the credentials `{scheme}`"),
    };
    if !scopes.is_empty() {
        need.extend([" (with ", &scopes.join(", "), ")"]);
    }
    Some(one_line(&need))
}

/// Returns the part of a result that a pointer leads to, as it is written there.
pub(super) fn part<'r>(result: &'r str, pointer: Option<&str>) -> Result<&'r str, Failure> {
    let Some(pointer) = pointer.filter(|pointer| !pointer.is_empty()) else {
        return Ok(result);
    };
    let span = spans(result, &[pointer]).remove(pointer);
    span.map(|span| &result[span])
        .ok_or_else(|| Failure::negative(format_args!("the result has nothing at {pointer}")))
}

/// Explains the data of Docent's own errors: which parameter is wrong, and why.
pub(super) fn reasons(data: &Json) -> Option<Vec<String>> {
    let mut lines = vec![reason(data)?];
    let others = data.get("others").and_then(Json::as_array);
    lines.extend(others.unwrap_or_default().iter().filter_map(reason));
    lines.extend(closest(data));
    Some(lines)
}

/// Returns the suggestion of similar names in the data of an error.
fn closest(data: &Json) -> Option<String> {
    let names: Vec<_> = data
        .get("closest")?
        .as_array()?
        .iter()
        .filter_map(Json::as_str)
        .collect();
    if names.is_empty() {
        return None;
    }
    Some(format!("did you mean {}?", one_line(&names.join(" or "))))
}

/// Returns data that no rule is known for: names that it suggests, or its JSON.
fn as_json(data: &Json) -> Vec<String> {
    match closest(data) {
        Some(line) => vec![line],
        None => format!("{data:#}").lines().map(str::to_owned).collect(),
    }
}

/// Returns the failure for JSON that is no response.
pub(super) fn no_reply(remote: &Remote) -> Failure {
    let display_name = remote.display_name();
    Failure::system(format_args!("{display_name}: the response is not JSON-RPC"))
}

/// Returns the failure for a response that has the id of another call.
pub(super) fn foreign_reply(reply: &CallReply, remote: &Remote) -> Failure {
    Failure::system(format_args!(
        "{}: the response has the id {}, which is not that of the call",
        remote.display_name(),
        reply.id.as_deref().unwrap_or("(none)")
    ))
}
