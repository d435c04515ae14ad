//! The server of Docent.

use std::io;

use docent_server::{BoundServer, Cx, Fault, Procedure, Server, Service};

use crate::Sum;

/// A service with this many procedures.
///
/// # Panics
/// Never, or nothing here can be measured.
pub fn service(procedures: usize) -> Service {
    let names = std::iter::once("sum".to_owned()).chain((1..procedures).map(|n| format!("sum{n}")));
    let procedures = names.map(|name| {
        let sum = |_: Cx, p: Sum| async move { Ok::<_, Fault>(p.a + p.b) };
        Procedure::new(name, sum)
            .summary("Adds two numbers.")
            .idempotent()
    });
    Service::builder("bench", "urn:uuid:41544946-415a-495a-5645-454441534647")
        .procedures(procedures)
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Binds the server at `/rpc`.
///
/// # Errors
/// It cannot listen.
pub fn bind(workers: usize, procedures: usize) -> io::Result<BoundServer> {
    Server::new(service(procedures))
        .workers(workers)
        .without_docs()
        .bind("127.0.0.1:0")
}
