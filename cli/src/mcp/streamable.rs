//! Messages over HTTP ("Streamable HTTP"): each is a POST of its own.
//!
//! A response may come as an event stream, which [`crate::http`] reads. The stream that a client can
//! open for messages of the server is not used: nothing here waits for them.

use std::sync::OnceLock;

use docent_tools::check::{Rule, Unanswered};
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};

use super::McpResponse;
use crate::http::{Exchange, HttpRequest};

/// The field with the session that a server has begun.
const SESSION_FIELD: HeaderName = HeaderName::from_static("mcp-session-id");
/// The field with the revision, which is known once the session has begun.
const VERSION_FIELD: HeaderName = HeaderName::from_static("mcp-protocol-version");
const ACCEPTED_TYPES: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// A session over HTTP. It ends when it is dropped.
pub(super) struct StreamableHttp {
    /// The requests to the server, for the end of the session.
    exchange: Exchange,
    /// The session that the server has begun.
    id: OnceLock<HeaderValue>,
    /// The header fields that each request has.
    headers: HeaderMap,
}

impl StreamableHttp {
    pub(super) fn new(exchange: &Exchange) -> Self {
        Self {
            exchange: exchange.clone(),
            id: OnceLock::new(),
            headers: HeaderMap::from_iter([(ACCEPT, ACCEPTED_TYPES)]),
        }
    }

    /// Names the revision in all further messages.
    pub(super) fn speak(&mut self, revision: &'static str) {
        self.headers
            .insert(VERSION_FIELD, HeaderValue::from_static(revision));
    }

    /// Posts a message. Returns the response, unless the server has only accepted the message.
    pub(super) fn post(&self, exchange: &Exchange, message: &str) -> McpResponse {
        let response = exchange.send(&HttpRequest {
            url: &exchange.typed,
            body: Some(message),
            headers: self.headers(),
        })?;
        if let Some(id) = response.headers.get(SESSION_FIELD) {
            // The first one is that of the session.
            let _ = self.id.set(id.clone());
        }
        if response.status.is_success() && response.body.is_empty() {
            return Ok(None);
        }
        let text = response
            .json_text()
            .map_err(|failure| Unanswered::new(Rule::BadResponse, failure.messages.join(" ")))?;
        Ok(text.parse().ok())
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.extend(self.id.get().map(|id| (SESSION_FIELD, id.clone())));
        headers
    }
}

impl Drop for StreamableHttp {
    fn drop(&mut self) {
        if self.id.get().is_some() {
            self.exchange.delete(self.headers());
        }
    }
}
