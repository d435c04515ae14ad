//! The response to a call.

use docent_describe::json::Json;

use crate::check::finding::shown;
use crate::locate::spans;

/// An HTTP response, to be read as a response of JSON-RPC.
#[derive(Debug, Clone)]
pub struct LiveResponse {
    pub(super) status: u16,
    pub(super) cache_control: String,
    pub(super) etag: Option<String>,
    pub(super) text: Option<String>,
    /// The id as it was written in the request.
    pub(super) sent_id: Option<&'static str>,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LiveOutcome {
    Result(Json),
    Error(LiveError),
}

/// The error of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LiveError {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Json>,
}

impl LiveResponse {
    /// Creates a response from its status, its header fields by name, and its body.
    pub fn new(status: u16, header: impl Fn(&str) -> Option<String>, body: Vec<u8>) -> Self {
        Self {
            status,
            cache_control: header("cache-control").unwrap_or_default(),
            etag: header("etag"),
            text: String::from_utf8(body).ok(),
            sent_id: None,
        }
    }

    /// Returns the body, if it is JSON.
    pub(super) fn json(&self) -> Option<Json> {
        self.text.as_deref()?.parse().ok()
    }

    /// Reads the response, or explains why it is not a response of JSON-RPC. Only a contract such as
    /// Docent's guarantees that ids come back byte for byte; others guarantee an equal value.
    pub(super) fn outcome(&self, is_exact: bool) -> Result<LiveOutcome, String> {
        let Some((text, json)) = self.text.as_deref().zip(self.json()) else {
            return Err(format!("HTTP {} without JSON", self.status));
        };
        let Json::Object(members) = &json else {
            return Err("the response is not an object".to_owned());
        };
        if members.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
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

    fn check_id(&self, text: &str, id: Option<&Json>, is_exact: bool) -> Result<(), String> {
        let id = id.ok_or("the response has no id")?;
        let Some(sent) = self.sent_id else {
            return Ok(());
        };
        let found = spans(text, &["/id"]).remove("/id").unwrap_or_default();
        let found = &text[found];
        let is_same =
            found == sent || (!is_exact && sent.parse::<Json>().is_ok_and(|it| it == *id));
        // A server that is busy or does not read the request cannot know its id.
        if is_same || (found == "null" && self.status >= 400) {
            return Ok(());
        }
        Err(format!("id {found} came back for the id {sent}"))
    }
}

impl LiveError {
    fn read(error: &Json) -> Result<Self, String> {
        let code = error.get("code").and_then(Json::as_i64);
        let message = error.get("message").and_then(Json::as_str);
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
            (Self::Error(one), Self::Error(two)) => one.code == two.code,
            _ => false,
        }
    }

    /// Summarizes the outcome in a few words.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Result(result) => shown(result),
            Self::Error(LiveError { code, message, .. }) => format!("error {code} ({message})"),
        }
    }
}
