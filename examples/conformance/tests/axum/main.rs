//! The suite of the HTTP contract over axum: the same tests, with `docent-tower` as the host.
//!
//! Promises of a listener, such as time limits for heads, are not among them.

#![cfg_attr(
    test,
    allow(dead_code, reason = "the suite of `docent` uses more of the helpers")
)]

mod carrier;
#[path = "../it/client.rs"]
mod client;
#[path = "../it/compressed.rs"]
mod compressed;
#[path = "../it/connection.rs"]
mod connection;
#[path = "../it/credentials.rs"]
mod credentials;
#[path = "../it/documents.rs"]
mod documents;
#[path = "../it/events.rs"]
mod events;
#[path = "../it/faults.rs"]
mod faults;
#[path = "../it/front_door.rs"]
mod front_door;
#[path = "../it/get_idempotent.rs"]
mod get_idempotent;
#[path = "../it/get_query.rs"]
mod get_query;
#[path = "../it/handler_fields.rs"]
mod handler_fields;
mod host;
#[path = "../it/http_address.rs"]
mod http_address;
#[path = "../it/http_bodies.rs"]
mod http_bodies;
#[path = "../it/http_media.rs"]
mod http_media;
#[path = "../it/http_methods.rs"]
mod http_methods;
#[path = "../it/ids.rs"]
mod ids;
#[path = "../it/interruption.rs"]
mod interruption;
#[path = "../it/limits.rs"]
mod limits;
#[path = "../it/links.rs"]
mod links;
#[path = "../it/log.rs"]
mod log;
mod nested;
#[path = "../it/reply.rs"]
mod reply;
#[path = "../it/section7.rs"]
mod section7;
#[path = "../it/silence.rs"]
mod silence;
#[path = "../it/started.rs"]
mod started;
#[path = "../it/suite.rs"]
mod suite;
#[path = "../it/trust.rs"]
mod trust;

pub(crate) use client::Server;
pub(crate) use suite::{
    assert_outcomes, call_with, handle, now, outcome, service, service_with, shared,
};
