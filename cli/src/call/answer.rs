//! Reads the responses to calls, and prints them.

use docent_describe::code::{self, Ran, Retry};
use docent_describe::json::Json;
use docent_describe::{Credential, Origin, ProcedureDescription, ServiceDescription};

use crate::failure::Failure;
use crate::remote::Remote;
use crate::terminal::{Terminal, one_line};
use docent_tools::locate::spans;
use docent_tools::params::reason;

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
        let spans = spans(text, &["/result", "/id"]);
        let member = |name: &str| spans.get(name).map(|span| text[span.clone()].to_owned());
        let error = json.get("error").filter(|error| **error != Json::Null);
        let outcome = match (error, member("/result")) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(result)) => Ok(result),
            (None, None) => return None,
        };
        Some(Self {
            text: text.to_owned(),
            outcome,
            id: member("/id"),
        })
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
    let message = error
        .get("message")
        .and_then(Json::as_str)
        .map_or_else(|| one_line(&error.to_string()), one_line);
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
    match data {
        None | Some(Json::Null) => {}
        Some(data) => lines.extend(reasons(data).unwrap_or_else(|| as_json(data))),
    }
    Failure::negative(lines.join("\n  "))
}

/// Returns the description's text about an error.
fn declared(error: &Json, procedure: Option<&ProcedureDescription>) -> Option<String> {
    let code = error.get("code")?.as_i64()?;
    let message = error.get("message").and_then(Json::as_str);
    let text = procedure?
        .errors
        .iter()
        .filter(|it| it.code == code)
        .min_by_key(|it| Some(&*it.message) != message)?
        .description
        .as_deref()?;
    Some(one_line(text.split("\n\n").next().unwrap_or_default())).filter(|text| !text.is_empty())
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
        Ran::No => "it did not run",
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

/// Returns what credentials a procedure needs, and how to give them.
fn needs(procedure: &ProcedureDescription, service: &ServiceDescription) -> Option<String> {
    let mut all = Vec::new();
    for requirement in &procedure.security {
        let one_of = requirement.one_of.iter();
        let one_of: Vec<_> = one_of.filter_map(|it| need(it, service)).collect();
        if !one_of.is_empty() {
            all.push(one_of.join(" or "));
        }
    }
    (!all.is_empty()).then(|| format!("needs {}", all.join(", and ")))
}

/// Returns a credential, and how to give it.
fn need(credential: &Credential, service: &ServiceDescription) -> Option<String> {
    let Credential { scheme, scopes } = credential;
    let described = service.security_schemes.get(scheme)?;
    let word = |member: &str| described.get(member).and_then(Json::as_str);
    let mut need = match (word("type")?, word("scheme"), word("in")) {
        ("http", Some("basic"), _) => {
            "a user name and a password: http://USER:PASSWORD@…".to_owned()
        }
        ("apiKey", _, Some("header")) => {
            let field = word("name")?;
            format!("the header field {field}: -H '{field}: …'")
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
    let others = data
        .get("others")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(reason);
    let mut lines: Vec<String> = [reason(data)?].into_iter().chain(others).collect();
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
    (!names.is_empty()).then(|| format!("did you mean {}?", one_line(&names.join(" or "))))
}

fn as_json(data: &Json) -> Vec<String> {
    match closest(data) {
        Some(line) => vec![line],
        None => format!("{data:#}").lines().map(str::to_owned).collect(),
    }
}

pub(super) fn no_reply(remote: &Remote) -> Failure {
    let shown = remote.shown();
    Failure::system(format_args!("{shown}: the response is not JSON-RPC"))
}
