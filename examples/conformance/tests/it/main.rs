//! Tests of the wire contract from outside, in process and over HTTP.
//!
//! There is one binary because linking the server takes long. Expected responses are written in the
//! short form of [`reply::brief`]: `19 #1` is the result 19 with the id 1, `error -32600 #null` is
//! an error, `nothing` means no response, and a batch is in brackets.

#[cfg(unix)]
mod answers;
#[path = "../axum/host.rs"]
mod axum_host;
mod batch;
mod batch_time;
mod binding;
mod binding_properties;
mod blocking;
#[cfg(target_os = "linux")]
mod bombs;
mod broken;
mod carrier;
mod client;
mod compressed;
mod concurrency;
mod connection;
mod credentials;
#[cfg(target_os = "linux")]
mod crowds;
#[cfg(target_os = "linux")]
mod descriptors;
mod documents;
mod encoding;
mod event_hosts;
mod events;
mod faults;
mod front_door;
mod get_idempotent;
mod get_query;
mod golden;
mod handler_fields;
mod heads;
mod host;
mod http_address;
mod http_bodies;
mod http_media;
mod http_methods;
mod ids;
mod incidents;
mod interruption;
mod limits;
mod links;
mod listeners;
mod log;
#[cfg(target_os = "linux")]
mod memory;
mod metrics;
mod mistakes;
mod mounts;
mod nesting;
mod odd;
mod own_routes;
mod panics;
mod permission;
mod pipelines;
#[cfg(unix)]
mod process;
mod protocol;
mod rejected_bodies;
mod reply;
mod request_ids;
mod requests;
mod results;
mod section7;
#[cfg(unix)]
mod signals;
mod silence;
mod started;
mod statuses;
mod stopping;
mod suite;
mod trust;
#[cfg(unix)]
mod unread;
mod upgrades_in_an_app;
#[cfg(unix)]
mod versions;

pub(crate) use client::Server;
pub(crate) use suite::{
    assert_outcomes, call_with, handle, now, outcome, service, service_with, shared,
};
