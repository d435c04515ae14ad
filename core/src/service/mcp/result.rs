//! Makes the result of a tool from the response of its procedure.
//!
//! Agents read text and structured content where other callers read `result`. The response is
//! rewritten as text, before observers hear of it.

use std::borrow::Cow;
use std::io::Write as _;

use docent_describe::render::ToolResult;

use super::respond::McpRequest;
use super::tools::Tool;
use crate::call::Callee;
use crate::code::{self, Retry};
use crate::fault::Fault;
use crate::service::reply::Reply;
use crate::wire::{BEFORE_ERROR, BEFORE_RESULT, Protocol, write_error_object};

impl McpRequest<'_, '_> {
    /// Makes the response to `tools/call` from the response of the procedure. A guard's rejection stays
    /// unchanged: it is for the client, not for the model.
    pub(super) fn tool_result(&self, reply: Reply, tool: &Tool, callee: &Callee) -> Reply {
        if reply.rejection().is_some() {
            return reply;
        }
        let code = reply.error_code();
        let body = reply.body().unwrap_or_default();
        let before = if code.is_some() {
            BEFORE_ERROR
        } else {
            BEFORE_RESULT
        };
        let end = body.len() - Protocol::V2_0.end_length(self.id());
        let text = String::from_utf8_lossy(body.get(before.len()..end).unwrap_or_default());
        let rewritten = match code {
            // As structured content it would break `outputSchema`, and a model must learn that the call
            // has run.
            None if reply.mismatch => {
                let what = "The call has run. Its result does not match outputSchema";
                self.write(&format!("{what}: {text}"), None, true)
            }
            None => match tool.result {
                ToolResult::Object => self.write(&text, Some(&text), false),
                ToolResult::Wrapped => {
                    let wrapped = format!("{{\"result\":{text}}}");
                    self.write(&wrapped, Some(&wrapped), false)
                }
                ToolResult::Nothing => self.write(&text, None, false),
            },
            // The error object is sent as text, so that a model can act on it. It cannot be structured
            // content, which must match the schema of results.
            Some(code) => self.write(&with_retry(code, &text, callee), None, true),
        };
        drop(text);
        drop(body);
        let limit = self.dispatch.service.limits().max_response_bytes;
        if rewritten.len() <= limit || code == Some(code::RESPONSE_TOO_LARGE) {
            return reply.rewritten(rewritten, code);
        }
        let mut error = Vec::new();
        write_error_object(&mut error, &Fault::protocol(code::RESPONSE_TOO_LARGE));
        let too_large = self.write(&String::from_utf8_lossy(&error), None, true);
        reply.rewritten(too_large, Some(code::RESPONSE_TOO_LARGE))
    }

    /// Writes a response with a text, and with the same as structured content.
    fn write(&self, text: &str, structured: Option<&str>, is_error: bool) -> Vec<u8> {
        let frame = self.dispatch.service.inner.tools.frame(self.revision);
        let id = self.id().map_or(0, str::len);
        // Room for the structured content, and for the text with escapes, of which JSON in a string
        // needs many.
        let mut body = Vec::with_capacity(160 + frame.len() + id + text.len() * 9 / 4);
        Protocol::V2_0.begin_result(&mut body);
        body.extend_from_slice(b"{\"content\":[{\"type\":\"text\",\"text\":");
        // Writing into memory cannot fail.
        let _ = serde_json::to_writer(&mut body, text);
        body.extend_from_slice(b"}]");
        if let Some(structured) = structured
            && self.revision.has_structure()
        {
            let _ = write!(body, ",\"structuredContent\":{structured}");
        }
        let _ = write!(body, ",\"isError\":{is_error}{frame}}}");
        Protocol::V2_0.end_result(&mut body, self.id());
        body
    }
}

/// Adds to an error object whether repeating the call helps, if it is known.
fn with_retry<'e>(code: i64, error: &'e str, callee: &Callee) -> Cow<'e, str> {
    let retry = match code::find(code).map(|error| error.retry) {
        Some(retry) if retry.helps() => Some(true),
        // A call that may still be running must not be repeated, unless repeating it changes
        // nothing.
        Some(Retry::IfSafe) => {
            Some(callee.description.idempotent || error.contains("\"started\":false"))
        }
        _ => callee.declared(code).and_then(|declared| declared.retry),
    };
    match (retry, error.strip_suffix('}')) {
        (Some(retry), Some(error)) => format!("{error},\"retry\":{retry}}}").into(),
        _ => error.into(),
    }
}
