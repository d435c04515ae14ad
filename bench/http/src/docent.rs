//! The server of Docent.
//!
//! It has the defaults of a service, with its limits and checks.

use std::io;

use bench::docent::{HandlerKind, procedures, service_of};
use docent::{BoundServer, Procedure, Routes, Server, Service};

/// Builds a service with this many procedures, at least those that are called.
///
/// # Panics
/// Never: the descriptions are always the same.
pub fn service(count: usize) -> Service {
    // Idempotent, so that GET can call them.
    service_of(procedures(count, HandlerKind::Asynchronous).map(Procedure::idempotent))
}

/// Binds the server at `/rpc`, for HTTP and WebSockets.
///
/// # Errors
/// It cannot listen.
pub fn bind(workers: usize, procedures: usize) -> io::Result<BoundServer> {
    let routes = Routes::new(service(procedures)).websocket().without_docs();
    Server::new(routes).workers(workers).bind("127.0.0.1:0")
}
