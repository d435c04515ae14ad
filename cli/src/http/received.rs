//! Answers over a WebSocket, and the reasons for missing ones, as those of responses over HTTP.

use docent_client::{Received, TransportError};
use docent_tools::check::{Rule, Unanswered};
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;

use super::response::HttpResponse;

/// Returns an answer as a response over HTTP. It has status 204 if it is empty.
pub(super) fn response(received: Received, url: &Url) -> HttpResponse {
    // Only a response to the handshake has a status.
    let status = received
        .status
        .and_then(|status| StatusCode::from_u16(status).ok());
    let usual = if received.body.is_empty() {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::OK
    };
    let media_type = received.media_type.as_deref().unwrap_or("application/json");
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_str(media_type) {
        headers.insert(CONTENT_TYPE, value);
    }
    HttpResponse {
        status: status.unwrap_or(usual),
        headers,
        body: received.body.into(),
        url: url.clone(),
    }
}

/// Returns the reason for which there is no answer.
pub(super) fn unanswered(error: &TransportError) -> Unanswered {
    let rule = match error {
        TransportError::Connect(_) => Rule::Unreachable,
        TransportError::TimedOut(_) => Rule::TimedOut,
        TransportError::Interrupted(_) => Rule::Closed,
        _ => Rule::BadResponse,
    };
    Unanswered::new(rule, error.to_string())
}
