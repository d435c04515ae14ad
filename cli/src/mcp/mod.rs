//! Calls servers of the Model Context Protocol, over HTTP or over the standard input and output of a command.
//!
//! An [`McpSession`] lists what a server offers as a document for the reader. It also turns calls of
//! procedures into calls of tools, and their results back, so that no command has to know the difference:
//!
//! ```json
//! {"jsonrpc": "2.0", "method": "search", "params": {"text": "Emma"}, "id": 1}
//! {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "search", "arguments": {"text": "Emma"}}, "id": 7}
//! ```
//!
//! A tool reports its own errors as a result with `isError`, in text. Those become errors of JSON-RPC, with the code
//! that the text begins with if a library has written one there. [`command`] and [`streamable`] carry the messages.

mod command;
mod streamable;

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use docent_describe::Origin;
use docent_describe::code::INVALID_PARAMS;
use docent_describe::json::{Json, Object};
use docent_tools::check::{Rule, Unanswered};
use docent_tools::request::message;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

use self::streamable::StreamableHttp;
use crate::exec::CommandPipes;
pub(crate) use crate::exec::is_command;
use crate::failure::Failure;
use crate::http::{Exchange, HttpRequest, HttpResponse, without_secrets};

/// The revisions whose tools can be called, the one to offer first.
const MCP_REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The lists of a server: the capability, the method, and the member of the result.
const SERVER_LISTS: [[&str; 3]; 4] = [
    ["tools", "tools/list", "tools"],
    ["resources", "resources/list", "resources"],
    ["resources", "resources/templates/list", "resourceTemplates"],
    ["prompts", "prompts/list", "prompts"],
];
const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json");
/// The method of the first request.
const INITIALIZE_METHOD: &str = "initialize";
/// The maximum number of pages of a list.
const MAX_PAGES: usize = 1000;
/// The code of an error that a tool reports without one.
const TOOL_ERROR: i64 = -32000;
/// The beginnings of the texts in which libraries of servers reject arguments that do not match the schema.
const INVALID_PARAMS_STARTS: [&str; 2] = ["MCP error -32602", "Input validation error"];

/// The response to a message, if it is a request.
type McpResponse = Result<Option<Json>, Unanswered>;

/// A session with a server. It ends when it is dropped.
pub(crate) struct McpSession {
    carrier: McpConnection,
    /// The id of the last request. Each request has one of its own.
    last_id: AtomicI64,
    /// The result of `initialize`.
    introduction: Json,
}

/// The response to a call of a tool.
pub(crate) struct ToolResponse {
    /// The response that JSON-RPC would give to a call of the procedure.
    pub(crate) response: HttpResponse,
    /// The result of `tools/call`, if there is one.
    pub(crate) result: Option<Json>,
}

/// The connection to a server.
enum McpConnection {
    /// A command, to which only one thread speaks at a time.
    Command(Mutex<CommandPipes>),
    /// A server of the streamable HTTP transport.
    Http(Box<StreamableHttp>),
}

impl McpSession {
    /// Starts the command of an `exec:` URL, or uses the address as it is, and introduces this program. A command that
    /// answers the introduction with an error goes back to the exchange.
    pub(crate) fn open(exchange: &Exchange) -> Result<Self, Failure> {
        let carrier = match &exchange.command {
            Some(command) => McpConnection::Command(Mutex::new(command.take(exchange)?)),
            None => McpConnection::Http(Box::new(StreamableHttp::new(exchange))),
        };
        let mut session = Self {
            carrier,
            last_id: AtomicI64::default(),
            introduction: Json::Null,
        };
        match session.introduce(exchange) {
            Ok(()) => Ok(session),
            Err(failure) => {
                session.give_back(exchange);
                Err(failure)
            }
        }
    }

    fn introduce(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        self.introduction = self.result(exchange, INITIALIZE_METHOD, &introduction())?;
        let revision = self
            .introduction
            .get_str("protocolVersion")
            .unwrap_or_default();
        let Some(known) = MCP_REVISIONS.into_iter().find(|known| *known == revision) else {
            let reason = format_args!("it speaks {revision:?}, an unknown version of MCP");
            return Err(failed(exchange, reason));
        };
        if let McpConnection::Http(http) = &mut self.carrier {
            http.speak(known);
        }
        self.post(exchange, &initialized(), None)
            .map_err(|unanswered| exchange.unavailable(&unanswered))?;
        Ok(())
    }

    /// Gives the command of a session that was not opened to those who try another protocol.
    fn give_back(self, exchange: &Exchange) {
        if let (McpConnection::Command(pipes), Some(command)) = (self.carrier, &exchange.command) {
            command.put_back(pipes.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Returns what the server says about itself and lists, in one object.
    pub(crate) fn document(&self, exchange: &Exchange) -> Result<Json, Failure> {
        let mut document = self.introduction.as_object().cloned().unwrap_or_default();
        for [capability, method, member] in SERVER_LISTS {
            let offers = document
                .get("capabilities")
                .and_then(|capabilities| capabilities.get(capability));
            let listed = match (offers, member) {
                (None, _) => Vec::new(),
                (Some(_), "tools") => self.list(exchange, method, member)?,
                // Not every server with resources has templates of them.
                (Some(_), _) => self.list(exchange, method, member).unwrap_or_default(),
            };
            document.insert(member, Json::Array(listed));
        }
        Ok(Json::Object(document))
    }

    /// Lists all pages of what a server offers. A cursor that comes back ends the list.
    fn list(&self, exchange: &Exchange, method: &str, member: &str) -> Result<Vec<Json>, Failure> {
        let mut all: Vec<Json> = Vec::new();
        let mut cursors = HashSet::new();
        let mut params = "{}".to_owned();
        for _ in 0..MAX_PAGES {
            let page = self.result(exchange, method, &params)?;
            let mut listed = page
                .get(member)
                .and_then(Json::as_array)
                .unwrap_or_default()
                .to_vec();
            let cursor = page.get("nextCursor");
            let Some(cursor @ Json::String(_)) = cursor else {
                all.append(&mut listed);
                return Ok(all);
            };
            if !cursors.insert(cursor.to_string()) {
                // A server that ignores the cursor has sent the first page again.
                listed.retain(|item| !all.contains(item));
                all.append(&mut listed);
                let text = format_args!(
                    "{method} gives the cursor {cursor} again, so the list ends there"
                );
                exchange.warn_once(method, text);
                return Ok(all);
            }
            all.append(&mut listed);
            params = format!("{{\"cursor\":{cursor}}}");
        }
        let reason = format_args!("{method} has more than {MAX_PAGES} pages");
        Err(failed(exchange, reason))
    }

    /// Sends a call of a procedure as a call of a tool.
    pub(crate) fn call(
        &self,
        exchange: &Exchange,
        request: &HttpRequest<'_>,
    ) -> Result<ToolResponse, Unanswered> {
        let call = request
            .body
            .and_then(|body| body.parse::<Json>().ok())
            .unwrap_or_default();
        let name = call.get("method").unwrap_or(&Json::Null);
        let arguments = match call.get("params") {
            Some(params) => params.to_string(),
            None => "{}".to_owned(),
        };
        let params = format!(r#"{{"name":{name},"arguments":{arguments}}}"#);
        let response = self.request(exchange, "tools/call", &params)?;
        let (outcome, value) = match (response.get("error"), response.get("result")) {
            (Some(error), _) => ("error", error.clone()),
            (None, result) => outcome(result.unwrap_or(&Json::Null)),
        };
        let id = call.get("id").unwrap_or(&Json::Null);
        Ok(ToolResponse {
            response: HttpResponse {
                status: StatusCode::OK,
                headers: HeaderMap::from_iter([(CONTENT_TYPE, JSON_TYPE)]),
                body: format!(r#"{{"jsonrpc":"2.0","{outcome}":{value},"id":{id}}}"#).into_bytes(),
                url: exchange.typed.clone(),
            },
            result: response.get("result").cloned(),
        })
    }

    /// Returns the result of a request. An error is a failure.
    fn result(&self, exchange: &Exchange, method: &str, params: &str) -> Result<Json, Failure> {
        let response = self
            .request(exchange, method, params)
            .map_err(|unanswered| exchange.unavailable(&unanswered))?;
        if let Some(result) = response.get("result") {
            return Ok(result.clone());
        }
        let error = response
            .get("error")
            .and_then(|error| error.get("message"))
            .and_then(Json::as_str)
            .unwrap_or("no result");
        Err(failed(exchange, format_args!("{method}: {error}")))
    }

    /// Sends a request, and returns its response.
    fn request(&self, exchange: &Exchange, method: &str, params: &str) -> Result<Json, Unanswered> {
        let id = self.next_id();
        let request = message(method, Some(params), Some(&id.to_string()), false);
        self.post(exchange, &request, Some(id))?
            .ok_or_else(|| Unanswered::new(Rule::BadResponse, "the response is empty"))
    }

    fn next_id(&self) -> i64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a message. A command that an earlier message has ended is started again before.
    fn post(&self, exchange: &Exchange, message: &str, id: Option<i64>) -> McpResponse {
        match &self.carrier {
            McpConnection::Http(http) => http.post(exchange, message),
            McpConnection::Command(pipes) => {
                let mut pipes = pipes.lock().unwrap_or_else(PoisonError::into_inner);
                if pipes.is_over() {
                    self.start_again(exchange, &mut pipes)?;
                }
                command::send(&mut pipes, exchange, message, id)
            }
        }
    }

    /// Starts a command that has ended again, and introduces this program. Fails with
    /// [`Rule::Unreachable`], because no message of the caller's has ended the new one.
    fn start_again(&self, exchange: &Exchange, pipes: &mut CommandPipes) -> Result<(), Unanswered> {
        pipes.start_again(&exchange.typed)?;
        let id = self.next_id();
        let first = message(
            INITIALIZE_METHOD,
            Some(&introduction()),
            Some(&id.to_string()),
            false,
        );
        command::send(pipes, exchange, &first, Some(id))
            .map_err(|error| Unanswered::new(Rule::Unreachable, error.reason))?;
        command::send(pipes, exchange, &initialized(), None)?;
        Ok(())
    }
}

/// Returns the `params` with which this program introduces itself.
fn introduction() -> String {
    format!(
        r#"{{"protocolVersion":"{}","capabilities":{{}},"clientInfo":{{"name":"docent","version":"{}"}}}}"#,
        MCP_REVISIONS[0],
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the message after which a session has begun.
fn initialized() -> String {
    message("notifications/initialized", None, None, false)
}

/// Returns the session for calls to a service: one that is open, or a new one if a description needs one.
pub(crate) fn session(
    open: Option<Arc<McpSession>>,
    origin: Origin,
    exchange: &Exchange,
) -> Result<Option<Arc<McpSession>>, Failure> {
    match open {
        None if origin == Origin::Mcp => Ok(Some(Arc::new(McpSession::open(exchange)?))),
        open => Ok(open),
    }
}

/// Returns the outcome of a tool as the member of a response. Structured content is the result, otherwise the
/// only text, otherwise all content.
fn outcome(result: &Json) -> (&'static str, Json) {
    let content = result.get("content").cloned().unwrap_or_default();
    let text = match content.as_array() {
        Some([only]) => only.get_str("text"),
        _ => None,
    };
    if result.get("isError") != Some(&Json::Bool(true)) {
        let structured = result
            .get("structuredContent")
            .cloned()
            .or_else(|| text.map(Json::from));
        return ("result", structured.unwrap_or(content));
    }
    // Services by Docent send the error object itself.
    if let Some(Ok(error)) = text.map(str::parse::<Json>)
        && error.get("code").is_some()
        && error.get("message").is_some()
    {
        return ("error", error);
    }
    let message = match text {
        Some(text) => text.to_owned(),
        None => content.to_string(),
    };
    let is_invalid = INVALID_PARAMS_STARTS
        .iter()
        .any(|start| message.starts_with(start));
    let code = if is_invalid {
        INVALID_PARAMS
    } else {
        TOOL_ERROR
    };
    let error = Object::new()
        .with("code", code)
        .with("message", message)
        .maybe("data", result.get("structuredContent").cloned());
    ("error", error.into())
}

fn failed(exchange: &Exchange, reason: std::fmt::Arguments<'_>) -> Failure {
    let display_name = without_secrets(&exchange.typed);
    Failure::no_description(format_args!("{display_name}: {reason}"))
}
