//! Calls in a batch, from a file with a call on each line.

use std::collections::HashMap;
use std::path::Path;

use docent_describe::json::Json;

use super::Call;
use super::answer::{self, CallReply};
use crate::args::CallArgs;
use crate::failure::{Failure, Result};
use crate::files;
use crate::http::HttpRequest;
use crate::remote::Remote;
use crate::terminal::{Terminal, count};
use docent_tools::locate::elements;
use docent_tools::request::message;

/// The maximum number of calls in a batch.
const SIZE: usize = 100;

/// The maximum number of lines whose mistakes are shown.
const SHOWN: usize = 10;

/// A call on a line of the file.
struct Line {
    /// The number of the line, which is also the call's id.
    number: usize,
    procedure: String,
    message: String,
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
    for batch in lines.chunks(SIZE) {
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

/// Reads the calls, and checks them.
fn lines(text: &str, args: &CallArgs, remote: &Remote) -> Result<Vec<Line>> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let lines = lines.map(|(number, line)| {
        self::line(number, line, args, remote)
            .map_err(|failure| failure.map(|message| format!("line {number}: {message}")))
    });
    let (lines, mut failures) = Failure::split(lines);
    failures.truncate(SHOWN);
    Failure::all(failures).map(|()| lines)
}

fn line(number: usize, text: &str, args: &CallArgs, remote: &Remote) -> Result<Line> {
    let wrong = || {
        Failure::usage(match args.procedure {
            Some(_) => "expected the parameters: an object or an array",
            None => "expected a call: {\"method\": \"name\", \"params\": {…}}",
        })
    };
    let json = text
        .parse::<Json>()
        .map_err(|error| Failure::usage(format_args!("not JSON: {error}")))?;
    let (procedure, params) = if let Some(procedure) = &args.procedure {
        (procedure.clone(), Some(json))
    } else {
        let method = json
            .get("method")
            .and_then(Json::as_str)
            .ok_or_else(wrong)?
            .to_owned();
        (method, json.get("params").cloned())
    };
    if !matches!(params, None | Some(Json::Array(_) | Json::Object(_))) {
        return Err(wrong());
    }
    let params = params.map(|params| params.to_string());
    let call = Call::new(remote, &procedure, args.no_check)?;
    call.check(params.as_deref())?;
    let params = call.in_order(params)?;
    let id = number.to_string();
    Ok(Line {
        number,
        message: message(&procedure, params.as_deref(), Some(&id), false),
        procedure,
    })
}

/// Sends some calls, prints their responses, and returns how many failed.
fn send(batch: &[Line], args: &CallArgs, remote: &Remote, terminal: Terminal) -> Result<usize> {
    let messages: Vec<_> = batch.iter().map(|line| line.message.as_str()).collect();
    let body = format!("[{}]", messages.join(","));
    let unanswered = |line: &Line, failure: Failure| {
        failure.map(|message| {
            format!(
                "{message}\n  line {} is the first that was not answered; it may have run, and so \
                 may those after it in the same batch",
                line.number
            )
        })
    };
    let replies = exchange(&body, remote).map_err(|failure| unanswered(&batch[0], failure))?;
    let mut failed = 0;
    for line in batch {
        let Some(reply) = replies.get(&line.number.to_string()) else {
            let shown = remote.shown();
            let failure = Failure::system(format_args!("{shown}: a call was not answered"));
            return Err(unanswered(line, failure));
        };
        if args.envelope {
            terminal.write_json(&reply.text)?;
        }
        match &reply.outcome {
            Ok(_) if args.envelope => {}
            Ok(result) => terminal.write_json(result)?,
            Err(error) => {
                failed += 1;
                let failure = answer::failure(
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
    let answer = remote.send(&HttpRequest::new(&remote.exchange.typed, Some(body)))?;
    let text = answer.json_text()?;
    let Some(elements) = elements(text) else {
        // A single response to the whole batch is an error.
        return Err(match CallReply::read(text).map(|reply| reply.outcome) {
            Some(Err(error)) => answer::failure(&error, None, &remote.description),
            _ => answer::no_reply(remote),
        });
    };
    let by_id = elements
        .into_iter()
        .filter_map(CallReply::read)
        .filter_map(|reply| Some((reply.id.clone()?, reply)));
    Ok(by_id.collect())
}
