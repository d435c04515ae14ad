//! The response to a call: what arrived, and what it says as a response of JSON-RPC.
//!
//! This file finds what is wrong with any response, whatever it answers. `conformance.rs` checks whether the outcome is
//! the right one for its call.

use docent_describe::json::Json;

use crate::check::finding::{Finding, short_json};
use crate::check::rule::Rule;
use crate::locate::spans;

/// An HTTP response, to be read as a response of JSON-RPC.
#[derive(Debug, Clone)]
pub struct LiveResponse {
    pub(super) status: u16,
    pub(super) cache_control: String,
    content_type: String,
    pub(super) etag: Option<String>,
    pub(super) text: Option<String>,
    /// The id as it was written in the request.
    pub(super) sent_id: Option<&'static str>,
    /// The result of `tools/call`, if the response is that of a server of MCP.
    pub(super) tool_result: Option<Json>,
}

/// The reason for which a request has no response.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Unanswered {
    /// The rule of the finding: `Unreachable`, `Closed`, `TimedOut` or `BadResponse`.
    pub rule: Rule,
    /// The reason in words.
    pub reason: String,
}

/// The outcome of a call.
#[derive(Clone, PartialEq)]
pub(super) enum LiveOutcome {
    /// The result, whether it keeps to its schema or not.
    Result(Json),
    /// The error object.
    Error(LiveError),
}

/// The error of a call.
#[derive(Clone, PartialEq)]
pub(super) struct LiveError {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Json>,
}

impl Unanswered {
    /// Creates a reason, and the finding's rule for it.
    pub fn new(rule: Rule, reason: impl Into<String>) -> Self {
        Self {
            rule,
            reason: reason.into(),
        }
    }
}

impl From<Unanswered> for Finding {
    fn from(unanswered: Unanswered) -> Self {
        Self::new(unanswered.rule, unanswered.reason)
    }
}

impl LiveResponse {
    /// Creates a response from its status, its header fields by name, and its body.
    pub fn new(status: u16, header: impl Fn(&str) -> Option<String>, body: Vec<u8>) -> Self {
        Self {
            status,
            cache_control: header("cache-control").unwrap_or_default(),
            content_type: header("content-type").unwrap_or_default(),
            etag: header("etag"),
            text: String::from_utf8(body).ok(),
            sent_id: None,
            tool_result: None,
        }
    }

    /// Adds the result of `tools/call` that the response was made of, whose content is checked too.
    #[must_use]
    pub fn with_tool_result(self, result: Json) -> Self {
        Self {
            tool_result: Some(result),
            ..self
        }
    }

    /// Returns the response to a call with this id.
    pub(super) fn to(self, sent_id: Option<&'static str>) -> Self {
        Self { sent_id, ..self }
    }

    /// Returns the body, if it is JSON.
    pub(super) fn json(&self) -> Option<Json> {
        self.text.as_deref()?.parse().ok()
    }

    /// Returns a finding if the server failed, and the response is not one of JSON-RPC.
    pub(super) fn server_error(&self) -> Option<Finding> {
        // A server that does not know the method of HTTP answers 501.
        if self.status < 500 || self.status == 501 {
            return None;
        }
        let json = self.json().unwrap_or_default();
        if json.get("error").or(json.get("result")).is_some() {
            return None;
        }
        Some(self.bad(Rule::ServerError, ""))
    }

    /// Returns a finding for a body that is not JSON.
    pub(super) fn not_json(&self) -> Finding {
        self.bad(Rule::NotJson, ", which is not JSON")
    }

    /// Creates a finding about the response as a whole.
    fn bad(&self, rule: Rule, why: &str) -> Finding {
        let message = format!("{}{why}", self.denial());
        Finding::new(rule, message).with_key(self.status.to_string())
    }

    /// Returns a finding if the response does not say that it is JSON.
    pub(super) fn wrong_type(&self) -> Option<Finding> {
        let media_type = self
            .content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        let is_json = [
            "application/json",
            "application/json-rpc",
            "application/jsonrequest",
        ]
        .contains(&&*media_type)
            || media_type.ends_with("+json");
        let message = format!("JSON came with Content-Type {:?}", self.content_type);
        (!is_json).then(|| Finding::new(Rule::ContentType, message).with_key(media_type))
    }

    /// Describes the body in a few words.
    fn body(&self) -> String {
        match self.text.as_deref().map(str::trim) {
            None => " with bytes that are not UTF-8".to_owned(),
            Some("") => " with an empty body".to_owned(),
            Some(text) => format!(
                " with {}",
                short_json(&self.json().unwrap_or(Json::from(text)))
            ),
        }
    }

    /// Describes a response that denies the caller access.
    pub(super) fn denial(&self) -> String {
        format!("HTTP {}{}", self.status, self.body())
    }

    /// Reads the response, or explains why it is not a response of JSON-RPC. Only a contract such as
    /// Docent's guarantees that ids come back byte for byte; others guarantee an equal value.
    pub(super) fn outcome(&self, is_exact: bool) -> Result<LiveOutcome, Vec<Finding>> {
        if let Some(finding) = self.server_error() {
            return Err(vec![finding]);
        }
        let (text, json) = self
            .text
            .as_deref()
            .zip(self.json())
            .ok_or_else(|| vec![self.not_json()])?;
        self.read(text, &json, is_exact)
            .map_err(|reason| vec![Finding::new(Rule::BadResponse, reason)])
    }

    fn read(&self, text: &str, json: &Json, is_exact: bool) -> Result<LiveOutcome, String> {
        let Json::Object(members) = json else {
            return Err("the response is not an object".to_owned());
        };
        if members.get_str("jsonrpc") != Some("2.0") {
            return Err("the response does not say `\"jsonrpc\": \"2.0\"`".to_owned());
        }
        self.check_id(text, members.get("id"), is_exact)?;
        match (members.get("result"), members.get("error")) {
            (Some(_), Some(_)) => Err("the response has both a result and an error".to_owned()),
            (None, None) => Err("the response has neither a result nor an error".to_owned()),
            (Some(result), None) => Ok(LiveOutcome::Result(result.clone())),
            (None, Some(error)) => LiveError::read(error).map(LiveOutcome::Error),
        }
    }

    /// Checks that the response has the id of its request.
    fn check_id(&self, text: &str, id: Option<&Json>, is_exact: bool) -> Result<(), String> {
        let id = id.ok_or("the response has no id")?;
        let Some(sent) = self.sent_id else {
            return Ok(());
        };
        let span = spans(text, &["/id"]).remove("/id").unwrap_or_default();
        let found = &text[span];
        let is_same =
            found == sent || (!is_exact && sent.parse::<Json>().is_ok_and(|sent| sent == *id));
        // A server that is busy or does not read the request cannot know its id.
        if is_same || (found == "null" && self.status >= 400) {
            return Ok(());
        }
        Err(format!("id {found} came back for the id {sent}"))
    }
}

impl LiveError {
    pub(super) fn read(error: &Json) -> Result<Self, String> {
        let code = error.get("code").and_then(Json::as_i64);
        let message = error.get_str("message");
        Ok(Self {
            code: code.ok_or("the error has no integer `code`")?,
            message: message.ok_or("the error has no `message`")?.to_owned(),
            data: error.get("data").cloned(),
        })
    }
}

impl LiveOutcome {
    /// Returns whether two outcomes are alike: equal results, or errors with the same code.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Result(one), Self::Result(two)) => one == two,
            _ => self.code().is_some() && self.code() == other.code(),
        }
    }

    /// Returns the code of an error.
    pub(super) fn code(&self) -> Option<i64> {
        match self {
            Self::Result(_) => None,
            Self::Error(error) => Some(error.code),
        }
    }

    /// Summarizes the outcome in a few words.
    pub(super) fn summary(&self) -> String {
        match self {
            Self::Result(result) => short_json(result),
            Self::Error(LiveError { code, message, .. }) => format!("error {code} ({message})"),
        }
    }
}
