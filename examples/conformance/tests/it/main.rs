//! Tests of the wire contract from outside, in process and over HTTP.
//!
//! There is one binary because linking the server takes long. Expected responses are written in the
//! short form of [`reply::brief`]: `19 #1` is the result 19 with the id 1, `error -32600 #null` is
//! an error, `nothing` means no response, and a batch is in brackets.

#[cfg(unix)]
mod answers;
mod batch;
mod batch_time;
mod binding;
mod binding_properties;
mod blocking;
mod broken;
mod carrier;
mod client;
mod compressed;
mod concurrency;
mod connection;
#[cfg(target_os = "linux")]
mod crowds;
#[cfg(target_os = "linux")]
mod descriptors;
mod encoding;
mod faults;
mod front_door;
mod get_idempotent;
mod get_query;
mod golden;
mod http_address;
mod http_bodies;
mod http_media;
mod http_methods;
mod ids;
mod incidents;
mod interruption;
mod limits;
mod listeners;
mod log;
#[cfg(target_os = "linux")]
mod memory;
mod metrics;
mod mistakes;
mod mounts;
mod nesting;
mod odd;
mod panics;
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
mod stopping;
#[cfg(unix)]
mod unread;
#[cfg(unix)]
mod versions;

use std::sync::LazyLock;

use client::Server;
use docent_server::{Limits, Protocols, Service};

fn service() -> Service {
    conformance::service(Limits::default(), Protocols::default())
        .expect("the service is the same every time")
}

/// Returns a service shared by tests that change nothing.
fn shared() -> &'static Service {
    static SHARED: LazyLock<Service> = LazyLock::new(service);
    &SHARED
}

/// Returns a service with other limits.
fn service_with(change: impl FnOnce(&mut Limits)) -> Service {
    let mut limits = Limits::default();
    change(&mut limits);
    conformance::service(limits, Protocols::default()).expect("limits cannot be wrong")
}

/// Returns a call with these parameters and the id 1.
fn call_with(procedure: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#)
}

/// Returns the in-process response to a body.
fn handle(service: &Service, body: &[u8]) -> Option<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime
        .expect("a runtime")
        .block_on(service.handle(body.to_vec()))
}

/// Returns the in-process response to a body in short form.
fn outcome(service: &Service, body: impl AsRef<[u8]>) -> String {
    reply::brief(handle(service, body.as_ref()).as_deref())
}

/// Checks the response to every body in a table.
#[track_caller]
fn assert_outcomes<B: AsRef<[u8]>, E: AsRef<str>>(service: &Service, table: &[(B, E)]) {
    for (body, expected) in table {
        let shown = String::from_utf8_lossy(body.as_ref());
        assert_eq!(outcome(service, body), expected.as_ref(), "{shown}");
    }
}

/// Polls a future once and returns its output if it is ready.
fn now<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::Pin::new(future).poll(&mut cx) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
