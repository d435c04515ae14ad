//! The HTTP client of all commands.
//!
//! A [`Client`] has the options that all commands share: credentials, TLS, proxies, time limits. An
//! [`Exchange`] sends requests to one origin, and returns an [`HttpResponse`] or the reason why there is none:
//!
//! ```text
//! let exchange = client.exchange(&url)?;                               // credentials of this origin only
//! let response = exchange.send(&HttpRequest::new(&url, Some(body)))?;  // POST
//! let text = response.json_text()?;                                    // or a failure that shows the body
//! ```
//!
//! Redirects are followed here, not by the library underneath: a POST stays a POST, encrypted requests stay encrypted,
//! and credentials go only to the origin that was typed. Where nothing can be reached, `explain.rs` says what is there
//! instead.
//!
//! Messages to a command or over a WebSocket take the same way, so no command of `docent` has to know the difference.
//! The meaning of a response is up to the caller.

mod address;
mod client;
mod credentials;
mod events;
mod exchange;
mod explain;
mod fields;
mod options;
#[cfg(feature = "websocket")]
mod raw_socket;
#[cfg(feature = "websocket")]
mod received;
mod response;
#[cfg(feature = "websocket")]
mod socket;
#[cfg(feature = "websocket")]
mod socket_events;
mod transport;

pub(crate) use address::is_socket;
pub(crate) use client::Client;
pub(crate) use docent_tools::request::without_secrets;
pub(crate) use events::{Arrived, EventStream, ResponseEvents, Subscribed};
pub(crate) use exchange::{Exchange, HttpRequest};
pub(crate) use fields::{EVENTS_TYPE, KEY_FIELD, LAST_EVENT_ID};
pub(crate) use options::{REQUESTS_HEADING, RequestOptions};
#[cfg(feature = "websocket")]
pub(crate) use raw_socket::{OpenedSocket, RawSocket};
pub(crate) use response::HttpResponse;
