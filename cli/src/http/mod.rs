//! The HTTP client of all commands.
//!
//! A [`Client`] has the options that all commands share: credentials, TLS, proxies, time limits. An
//! [`Exchange`] sends requests to one origin. Redirects are followed here, not by the library
//! underneath: a POST stays a POST, encrypted requests stay encrypted, and credentials go only to the
//! origin that was typed.

mod address;
mod client;
mod credentials;
mod events;
mod exchange;
mod explain;
mod options;
mod transport;

pub(crate) use client::Client;
pub(crate) use credentials::{API_KEY_VARIABLE, TOKEN_VARIABLE};
pub(crate) use docent_tools::request::without_secrets;
pub(crate) use events::EventStream;
pub(crate) use exchange::{Exchange, HttpAnswer, HttpRequest, Subscribed};

/// The media type of the responses to subscriptions.
pub(crate) const EVENTS_TYPE: &str = "text/event-stream";

/// The header field with the cursor after which a subscription resumes.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The header field with the key of a call.
pub(crate) const KEY_FIELD: HeaderName = HeaderName::from_static("idempotency-key");
pub(crate) use options::{REQUESTS_HEADING, RequestOptions};
use reqwest::header::HeaderName;
