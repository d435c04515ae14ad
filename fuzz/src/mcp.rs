//! Checks that the response to any message of the Model Context Protocol follows the contract, and that
//! a call of a tool is a call of its procedure.

use docent_core::carrier::{Incoming, McpHeaders, McpReply, McpStatus};
use serde_json::value::RawValue;

use crate::json::{self, Members};
use crate::oracle::Bytes;
use crate::service::{Setup, run};

/// The member with the key of a request.
const KEY_MEMBER: &str = "x-idempotency-key";

thread_local! {
    static TOOL_SETUP: Setup = Setup::tools();
}

/// Sends a message to a service whose procedures are tools, and checks the response. The first line of
/// the input has the header fields, `version|method|name`; an empty one is absent. A line without `|`
/// stands for a transport without header fields. The rest is the body.
///
/// # Panics
/// If a response violates the contract.
pub fn mcp(input: &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (first, body) = input.split_at(end.map_or(0, |end| end + 1));
    TOOL_SETUP.with(|setup| {
        let incoming = Incoming::new(body.to_vec());
        let headers = headers(first);
        // A message without a version counts as one of 2025-03-26.
        let has_structure = headers.as_ref().is_none_or(|headers| {
            let version = headers.version.as_deref();
            version.is_some_and(|version| version >= "2025-06-18")
        });
        let McpReply { reply, status, .. } = run(setup.service.mcp(incoming, headers));
        let runs = setup.take_runs();
        let response = reply.body();
        let output = response.as_deref();
        let checked = match output.and_then(|output| json::elements(json::check(output).ok()?)) {
            Some(responses) => check_batch(body, status, &responses),
            None => check_response(body, status, output)
                .and_then(|()| check_call(setup, body, output, runs, has_structure)),
        };
        if let Err(wrong) = checked {
            panic!(
                "{wrong}\nmessage: {}\nstatus: {status:?}\nresponse: {}",
                Bytes(Some(input)),
                Bytes(output)
            );
        }
    });
}

fn headers(line: &[u8]) -> Option<McpHeaders> {
    let text = String::from_utf8_lossy(line);
    if !text.contains('|') {
        return None;
    }
    let mut fields = text
        .trim_end_matches('\n')
        .split('|')
        .map(|field| Some(field.to_owned()).filter(|field| !field.is_empty()));
    Some(McpHeaders {
        version: fields.next().flatten(),
        method: fields.next().flatten(),
        name: fields.next().flatten(),
    })
}

/// Checks an array of responses: each has a result or an error, and there is at most one for each message.
fn check_batch(body: &[u8], status: McpStatus, responses: &[&RawValue]) -> Result<(), String> {
    ensure(
        status == McpStatus::Answered,
        "the status of an array is not 200",
    )?;
    let messages = json::check(body)
        .ok()
        .and_then(json::elements)
        .ok_or("only an array is answered by an array")?;
    ensure(!responses.is_empty(), "an array of responses is empty")?;
    ensure(
        responses.len() <= messages.len(),
        "there are more responses than messages",
    )?;
    for response in responses {
        let response = json::members(response).ok_or("a response is an object")?;
        let outcomes = response.count("result") + response.count("error");
        ensure(outcomes == 1, "a response has a result or an error")?;
        let id = response.get("id").map(RawValue::get);
        ensure(id != Some("null"), "null is no id")?;
        ensure(
            response.count("error") == 1 || id.is_some(),
            "a result has an id",
        )?;
    }
    Ok(())
}

fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

/// Reads a text as an object. Returns `None` if it is not one.
fn object(text: &[u8]) -> Option<Members<'_>> {
    json::members(json::check(text).ok()?)
}

/// Checks the rules for every message: the form of a response, its status and its `id`.
fn check_response(body: &[u8], status: McpStatus, output: Option<&[u8]>) -> Result<(), String> {
    let message = object(body);
    let Some(output) = output else {
        let is_notification =
            message.is_some_and(|message| message.count("id") == 0 && message.count("method") == 1);
        ensure(
            status == McpStatus::Accepted,
            "nothing is said, and the status is not 202",
        )?;
        return ensure(
            is_notification,
            "a message that is no notification gets no response",
        );
    };
    ensure(
        status != McpStatus::Accepted,
        "a notification gets a response",
    )?;
    let response = object(output).ok_or("the response is no JSON object")?;
    let version = response.get("jsonrpc").map(RawValue::get);
    ensure(
        version == Some("\"2.0\""),
        "the response is not one of JSON-RPC 2.0",
    )?;
    let errors = response.count("error");
    ensure(
        response.count("result") + errors == 1,
        "a response has a result or an error",
    )?;
    if let Some(error) = response.get("error") {
        let error = json::members(error).ok_or("an error is an object")?;
        let code = error
            .get("code")
            .and_then(|code| code.get().parse::<i64>().ok());
        ensure(code.is_some(), "an error has a code")?;
        ensure(
            error.get("message").and_then(json::text).is_some(),
            "an error has a message",
        )?;
        let unknown = status == McpStatus::UnknownMethod;
        ensure(
            !unknown || code == Some(-32601),
            "404 is for unknown methods",
        )?;
    } else {
        ensure(
            status == McpStatus::Answered,
            "an error's status with a result",
        )?;
    }
    let id = response.get("id").map(RawValue::get);
    ensure(id != Some("null"), "null is no id")?;
    match &message {
        Some(message) if message.count("id") == 1 && id.is_some() => {
            let sent = message.get("id").map(RawValue::get);
            ensure(id == sent, "the id is not the one that was sent")
        }
        // A message without an id that can be repeated gets only an error.
        _ => ensure(errors == 1 || id.is_some(), "a result has an id"),
    }
}

/// Checks that a tool responds with the outcome of its procedure.
fn check_call(
    setup: &Setup,
    body: &[u8],
    output: Option<&[u8]>,
    runs: usize,
    has_structure: bool,
) -> Result<(), String> {
    let result = output.and_then(|output| json::members(object(output)?.get("result")?));
    let called = object(body).filter(|message| {
        message.get("method").and_then(json::text).as_deref() == Some("tools/call")
    });
    let (Some(result), Some(called)) = (result, called) else {
        return ensure(runs == 0, "something has run that was not called");
    };
    let params = called
        .get("params")
        .and_then(json::members)
        .ok_or("a tool was called without params")?;
    let tool = params
        .get("name")
        .and_then(json::text)
        .ok_or("a tool was called without its name")?;
    let arguments = params.get("arguments").map_or("null", RawValue::get);
    let text = content(&result)?;
    let failed = result.get("isError").map(RawValue::get) == Some("true");

    let name = serde_json::Value::from(tool);
    // The key is a member of the request, in any protocol, or of its `_meta`.
    let key_in_meta = params
        .get("_meta")
        .and_then(json::members)
        .and_then(|meta| meta.get(KEY_MEMBER));
    let key = match key_in_meta.or(called.get(KEY_MEMBER)) {
        Some(key) => format!(r#","{KEY_MEMBER}":{key}"#),
        None => String::new(),
    };
    let request =
        format!(r#"{{"jsonrpc":"2.0","method":{name},"params":{arguments},"id":1{key}}}"#);
    let reply = run(setup.service.exchange(Incoming::new(request.into_bytes())));
    ensure(
        runs == setup.take_runs(),
        "the tool did not run as often as its procedure",
    )?;
    let body = reply.into_body().unwrap_or_default();
    let answered = object(&body).ok_or("the procedure does not answer")?;
    if failed {
        ensure(
            result.count("structuredContent") == 0,
            "an error has structured content",
        )?;
        let error = object(text.as_bytes()).ok_or("the text of an error is its object")?;
        let error_of_procedure = answered
            .get("error")
            .and_then(json::members)
            .ok_or("the tool fails, and the procedure does not")?;
        return ensure(
            are_same_errors(&error, &error_of_procedure),
            "the errors differ",
        );
    }
    let returned = answered
        .get("result")
        .ok_or("the procedure fails, and the tool does not")?;
    let wrapped = format!("{{\"result\":{}}}", returned.get());
    ensure(
        text == returned.get() || text == wrapped,
        "the text is not what the procedure returns",
    )?;
    match result.get("structuredContent") {
        Some(structured) => ensure(
            has_structure && structured.get() == text,
            "the two forms of a result differ, or the revision has one",
        ),
        None => ensure(
            text == "null" || !has_structure,
            "a result has no structured content",
        ),
    }
}

/// Returns whether two errors have the same code and data. Each internal error has an incident of its own.
fn are_same_errors(one: &Members<'_>, other: &Members<'_>) -> bool {
    let code = one.get("code").map(RawValue::get);
    let data = one.get("data").map(RawValue::get);
    code == other.get("code").map(RawValue::get)
        && (code == Some("-32603") || data == other.get("data").map(RawValue::get))
}

/// Returns the text that makes up the whole content.
fn content(result: &Members<'_>) -> Result<String, String> {
    let is_error = result.get("isError").map(RawValue::get);
    ensure(
        matches!(is_error, Some("true" | "false")),
        "isError is true or false",
    )?;
    let content = result.get("content").and_then(json::elements);
    let [only] = &*content.unwrap_or_default() else {
        return Err("a result has one content".to_owned());
    };
    let only = json::members(only).ok_or("content is an object")?;
    ensure(
        only.get("type").map(RawValue::get) == Some("\"text\""),
        "content is text",
    )?;
    let text = only
        .get("text")
        .and_then(json::text)
        .ok_or("the content has no text")?;
    ensure(json::check(text.as_bytes()).is_ok(), "the text is no JSON")?;
    Ok(text)
}
