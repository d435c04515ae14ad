//! Messages of MCP over the pipes of a command.

use docent_describe::json::Json;
use docent_tools::check::{Rule, Unanswered};

use crate::exec::{CommandPipes, ResponseTime, warn_of_noise};
use crate::http::Exchange;

/// Sends a message, and waits for the response to it if it has an id.
pub(super) fn send(
    pipes: &mut CommandPipes,
    exchange: &Exchange,
    message: &str,
    id: Option<i64>,
) -> Result<Option<Json>, Unanswered> {
    pipes.write(message);
    id.map(|id| wait(pipes, exchange, id)).transpose()
}

/// Waits for the response with this id, and answers requests of the server meanwhile.
fn wait(pipes: &mut CommandPipes, exchange: &Exchange, id: i64) -> Result<Json, Unanswered> {
    let time = ResponseTime::new(exchange.limit);
    loop {
        let (json, line) = pipes.next_json(exchange, &time)?;
        if !is_message(&json) {
            warn_of_noise(exchange, &line);
            continue;
        }
        let found = json.get("id").unwrap_or(&Json::Null);
        match (json.get_str("method"), found.as_i64()) {
            (Some("ping"), _) if *found != Json::Null => {
                pipes.write(&format!(
                    r#"{{"jsonrpc":"2.0","id":{found},"result":{{}}}}"#
                ));
            }
            (Some(_), _) if *found != Json::Null => pipes.refuse(found),
            (Some(_), _) => {}
            (None, Some(found)) if found == id => return Ok(json),
            // The response to an earlier request, which took too long.
            (None, Some(found)) if found < id => {}
            _ if *found == Json::Null && json.get("error").is_some() => return Ok(json),
            _ => {
                let reason = format!("a response has the id {found}, which no request has");
                return Err(Unanswered::new(Rule::BadResponse, reason));
            }
        }
    }
}

/// Returns whether a line is a message of JSON-RPC. Some commands also print what is none, such as a log in JSON.
fn is_message(json: &Json) -> bool {
    // A careless server may still answer.
    let is_response = json.get("result").or(json.get("error")).is_some()
        && json.get("id").and_then(Json::as_i64).is_some();
    json.get_str("jsonrpc") == Some("2.0") || is_response
}
