//! Calls in batches, from a file with a call on each line.
//!
//! All lines are checked before the first batch is sent, and the number of a line is the id of its call,
//! so that a response can be told to belong to it.

use std::collections::HashMap;
use std::path::Path;

use docent_describe::json::Json;

use super::CallTarget;
use super::response::{self, CallReply};
use crate::args::CallArgs;
use crate::failure::{Failure, Result};
use crate::files;
use crate::http::HttpRequest;
use crate::remote::Remote;
use crate::terminal::{Terminal, count};
use docent_tools::locate::elements;
use docent_tools::request::message;

/// The maximum number of calls in a batch.
const MAX_CALLS: usize = 100;

/// The maximum number of lines whose mistakes are shown.
const MAX_SHOWN_LINES: usize = 10;

/// A call on a line of the file.
struct BatchLine {
    /// The number of the line, which is also the call's id.
    number: usize,
    procedure: String,
    /// The call as JSON text, ready to be sent.
    message: String,
}

impl BatchLine {
    /// Adds to a failure that this is the first line without an answer.
    fn unanswered(&self, failure: Failure) -> Failure {
        failure.map(|message| {
            format!(
                "{message}\n  line {} is the first that was not answered; it may have run, and so \
                 may those after it in the same batch",
                self.number
            )
        })
    }
}

/// Sends all calls of a file, and prints their responses.
pub(super) fn run(args: &CallArgs, file: &str, remote: &Remote, terminal: Terminal) -> Result {
    if remote.is_1_1 || remote.session.is_some() {
        return Err(Failure::usage(
            "the service speaks JSON-RPC 1.1 or MCP, which have no batches",
        ));
    }
    let text = files::read_text(Path::new(file))?;
    // Check all lines before sending anything.
    let lines = lines(&text, args, remote)?;
    let mut failed = 0;
    for batch in lines.chunks(MAX_CALLS) {
        failed += send(batch, args, remote, terminal)?;
    }
    if failed > 0 {
        let calls = count(lines.len(), "call");
        return Err(Failure::negative(format!(
            "{failed} of {calls} answered with an error"
        )));
    }
    Ok(())
}

/// Reads the calls, and checks them. Empty lines are skipped, but count for the numbers of lines.
fn lines(text: &str, args: &CallArgs, remote: &Remote) -> Result<Vec<BatchLine>> {
    let mut lines = Vec::new();
    let mut failures = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match read_line(number, line, args, remote) {
            Ok(line) => lines.push(line),
            Err(failure) => {
                failures.push(failure.map(|message| format!("line {number}: {message}")));
            }
        }
    }
    failures.truncate(MAX_SHOWN_LINES);
    Failure::all(failures).map(|()| lines)
}

/// Reads a line, and checks its call as a single one would be.
fn read_line(number: usize, text: &str, args: &CallArgs, remote: &Remote) -> Result<BatchLine> {
    let json = text
        .parse::<Json>()
        .map_err(|error| Failure::usage(format_args!("not JSON: {error}")))?;
    let method = json.get_str("method");
    let (procedure, params) = match (&args.procedure, method) {
        (Some(procedure), _) => (procedure.as_str(), Some(&json)),
        (None, Some(method)) => (method, json.get("params")),
        (None, None) => return Err(wrong_line(args)),
    };
    if !matches!(params, None | Some(Json::Array(_) | Json::Object(_))) {
        return Err(wrong_line(args));
    }
    let typed_params = params.map(Json::to_string);
    let call = CallTarget::new(remote, procedure, args.no_check)?;
    call.refuse_subscription("in a batch")?;
    call.check(typed_params.as_deref())?;
    let params = call.in_order(typed_params)?;
    let id = number.to_string();
    Ok(BatchLine {
        number,
        message: message(procedure, params.as_deref(), Some(&id), false),
        procedure: procedure.to_owned(),
    })
}

/// Returns the failure of a line of the wrong form, with the form that is expected.
fn wrong_line(args: &CallArgs) -> Failure {
    Failure::usage(match args.procedure {
        Some(_) => "expected the parameters: an object or an array",
        None => "expected a call: {\"method\": \"name\", \"params\": {…}}",
    })
}

/// Sends some calls, prints their responses, and returns how many failed.
fn send(
    batch: &[BatchLine],
    args: &CallArgs,
    remote: &Remote,
    terminal: Terminal,
) -> Result<usize> {
    let messages: Vec<_> = batch.iter().map(|line| line.message.as_str()).collect();
    let body = format!("[{}]", messages.join(","));
    let replies = exchange(&body, remote).map_err(|failure| batch[0].unanswered(failure))?;
    let mut failed = 0;
    for line in batch {
        // Responses may come in any order, and are printed in that of the lines.
        let Some(reply) = replies.get(&line.number.to_string()) else {
            let display_name = remote.display_name();
            let failure = Failure::system(format_args!("{display_name}: a call was not answered"));
            return Err(line.unanswered(failure));
        };
        if args.envelope {
            terminal.write_json(&reply.text)?;
        }
        match &reply.outcome {
            Ok(_) if args.envelope => {}
            Ok(result) => terminal.write_json(result)?,
            Err(error) => {
                failed += 1;
                let failure = response::failure(
                    error,
                    remote.description.procedure(&line.procedure),
                    &remote.description,
                );
                terminal.fail_at(&format!("line {}:", line.number), &failure);
            }
        }
    }
    Ok(failed)
}

/// Sends a batch, and returns the responses by their ids.
fn exchange(body: &str, remote: &Remote) -> Result<HashMap<String, CallReply>> {
    let response = remote.send(&HttpRequest::new(&remote.exchange.typed, Some(body)))?;
    let text = response.json_text()?;
    let Some(elements) = elements(text) else {
        // A single response to the whole batch is an error.
        return Err(match CallReply::read(text).map(|reply| reply.outcome) {
            Some(Err(error)) => response::failure(&error, None, &remote.description),
            _ => response::no_reply(remote),
        });
    };
    Ok(elements
        .into_iter()
        .filter_map(CallReply::read)
        .filter_map(|reply| Some((reply.id.clone()?, reply)))
        .collect())
}
