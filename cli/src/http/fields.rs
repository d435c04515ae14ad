//! The header fields and media types that requests name.

use reqwest::header::HeaderName;

/// The media type of the responses to subscriptions.
pub(crate) const EVENTS_TYPE: &str = "text/event-stream";

/// The header field with the cursor after which a subscription resumes.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The header field with the key of a call.
pub(crate) const KEY_FIELD: HeaderName = HeaderName::from_static("idempotency-key");
