//! Makes the result of a tool from the response of its procedure.

use std::borrow::Cow;

use docent_describe::render::ToolResult;

use super::revision::Revision;
use super::tools::{Tool, Tools};
use crate::call::{Callee, Meta};
use crate::code;
use crate::fault::Fault;
use crate::service::reply::Reply;
use crate::wire::{ERROR, Protocol, RESULT};

/// The settings for writing the result of a tool.
pub(super) struct Shape<'a> {
    pub(super) tools: &'a Tools,
    pub(super) tool: &'a Tool,
    pub(super) revision: Revision,
    /// The `id` of the request.
    pub(super) id: Option<&'a str>,
    /// The maximum size of a response, in bytes.
    pub(super) limit: usize,
}

impl Shape<'_> {
    /// Makes the response to `tools/call` from the response of the procedure. A guard's rejection stays
    /// unchanged: it is for the client, not for the model.
    pub(super) fn apply(&self, reply: Reply, callee: &Callee) -> Reply {
        if reply.denial().is_some() {
            return reply;
        }
        let code = reply.error_code();
        let body = reply.body().unwrap_or_default();
        let text = self.inside(&body, if code.is_some() { ERROR } else { RESULT });
        let rewritten = match code {
            None if reply.mismatch => self.mismatch(&text),
            None => self.success(&text),
            Some(code) => self.failure(&text, retry(code, &text, callee)),
        };
        drop(body);
        if rewritten.len() <= self.limit || code == Some(code::RESPONSE_TOO_LARGE) {
            return reply.rewritten(rewritten, code);
        }
        let code = code::RESPONSE_TOO_LARGE;
        let plain = Reply::fault(
            Meta::bare(Protocol::V2_0, None),
            self.id,
            &Fault::protocol(code),
        );
        let body = plain.body().unwrap_or_default();
        let body = self.failure(&self.inside(&body, ERROR), None);
        reply.rewritten(body, Some(code))
    }

    /// Returns the result or the error object of a response.
    fn inside<'b>(&self, body: &'b [u8], before: &[u8]) -> Cow<'b, str> {
        let end = body.len() - Protocol::V2_0.end_length(self.id);
        String::from_utf8_lossy(body.get(before.len()..end).unwrap_or_default())
    }

    fn success(&self, result: &str) -> Vec<u8> {
        let structured = match self.tool.result {
            ToolResult::Object => Cow::from(result),
            ToolResult::Wrapped => format!("{{\"result\":{result}}}").into(),
            ToolResult::Nothing => {
                let mut body = self.begin(result);
                body.extend_from_slice(b"}],\"isError\":false");
                return self.end(body);
            }
        };
        let mut body = self.begin(&structured);
        body.extend_from_slice(b"}],\"structuredContent\":");
        body.extend_from_slice(structured.as_bytes());
        body.extend_from_slice(b",\"isError\":false");
        self.end(body)
    }

    /// Reports a result that does not match the description. As structured content it would break
    /// `outputSchema`, and a model must learn that the call has run.
    fn mismatch(&self, result: &str) -> Vec<u8> {
        let text = format!("The call has run. Its result does not match outputSchema: {result}");
        self.failure(&text, None)
    }

    /// Writes the error object as text, so that a model can act on it. It cannot be structured
    /// content, which must match the schema of results.
    fn failure(&self, error: &str, retry: Option<bool>) -> Vec<u8> {
        let text = match (retry, error.strip_suffix('}')) {
            (Some(retry), Some(error)) => format!("{error},\"retry\":{retry}}}").into(),
            _ => Cow::from(error),
        };
        let mut body = self.begin(&text);
        body.extend_from_slice(b"}],\"isError\":true");
        self.end(body)
    }

    /// Begins a result with its text.
    fn begin(&self, text: &str) -> Vec<u8> {
        const BEFORE: &[u8] = b"{\"content\":[{\"type\":\"text\",\"text\":";
        let around = 160 + self.tools.frame(self.revision).len() + self.id.map_or(0, str::len);
        // Room for the text as it is, and for the text with escapes, of which JSON in a string
        // needs many.
        let mut body = Vec::with_capacity(around + text.len() * 2 + text.len() / 4);
        body.extend_from_slice(RESULT);
        body.extend_from_slice(BEFORE);
        // Writing a string into memory cannot fail.
        let _ = serde_json::to_writer(&mut body, text);
        body
    }

    fn end(&self, mut body: Vec<u8>) -> Vec<u8> {
        body.extend_from_slice(self.tools.frame(self.revision).as_bytes());
        body.push(b'}');
        Protocol::V2_0.end_result(&mut body, self.id);
        body
    }
}

/// Returns whether repeating the call helps, if it is known.
fn retry(code: i64, error: &str, callee: &Callee) -> Option<bool> {
    match code {
        code::BUSY | code::TOO_MANY_REQUESTS | code::STILL_RUNNING => Some(true),
        // A call that may still be running must not be repeated, unless repeating it changes
        // nothing.
        code::TIMED_OUT => {
            Some(callee.description.idempotent || error.contains("\"started\":false"))
        }
        _ => {
            let mut declared = callee.description.errors.iter();
            declared.find(|error| error.code == code)?.retry
        }
    }
}
