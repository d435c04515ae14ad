//! Calls of tools by commands of which nothing is known.
//!
//! With `--no-check`, a call is the first message that a command gets, and only its answer tells a server of MCP.

use docent_describe::code;
use docent_describe::json::Json;

use crate::failure::Failure;
use crate::http::{HttpRequest, HttpResponse};
use crate::mcp::McpSession;
use crate::remote::Remote;

/// Calls a tool if a command of which nothing is known has answered that it has no such procedure, and turns out to be
/// a server of MCP. Otherwise returns the answer.
pub(super) fn as_tool(
    response: HttpResponse,
    remote: &Remote,
    request: &HttpRequest<'_>,
) -> Result<HttpResponse, Failure> {
    let exchange = &remote.exchange;
    if exchange.command.is_none() || remote.session.is_some() || !refuses_call(&response) {
        return Ok(response);
    }
    match McpSession::open(exchange) {
        Ok(session) => session
            .call(exchange, request)
            .map(|called| called.response)
            .map_err(|unanswered| exchange.unavailable(&unanswered)),
        Err(_) => Ok(response),
    }
}

/// Returns whether an answer says that there is no such procedure, or that no such request is valid.
fn refuses_call(response: &HttpResponse) -> bool {
    const CODES: [i64; 3] = [
        code::METHOD_NOT_FOUND,
        code::INVALID_REQUEST,
        code::INVALID_PARAMS,
    ];
    let json: Json = response
        .json_text()
        .unwrap_or_default()
        .parse()
        .unwrap_or_default();
    let code = json
        .get("error")
        .and_then(|error| error.get("code"))
        .and_then(Json::as_i64);
    code.is_some_and(|code| CODES.contains(&code))
}
