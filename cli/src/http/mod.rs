//! The HTTP client of all commands.
//!
//! A [`Client`] has the options that all commands share: credentials, TLS, proxies, time limits. An
//! [`Exchange`] sends requests to one origin. Redirects are followed here, not by the library
//! underneath: a POST stays a POST, encrypted requests stay encrypted, and credentials go only to the
//! origin that was typed.

mod address;
mod answer;
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
#[cfg(feature = "websocket")]
mod socket;
#[cfg(feature = "websocket")]
mod socket_events;
mod transport;

pub(crate) use address::is_socket;
pub(crate) use answer::HttpAnswer;
pub(crate) use client::Client;
pub(crate) use docent_tools::request::without_secrets;
pub(crate) use events::{Arrived, EventStream, ResponseEvents, Subscribed};
pub(crate) use exchange::{Exchange, HttpRequest};
pub(crate) use fields::{EVENTS_TYPE, KEY_FIELD, LAST_EVENT_ID};
pub(crate) use options::{REQUESTS_HEADING, RequestOptions};
#[cfg(feature = "websocket")]
pub(crate) use raw_socket::{OpenedSocket, RawSocket};
