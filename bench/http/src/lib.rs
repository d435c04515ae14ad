//! Servers that do the same work: one of Docent, which also runs on hyper, and two written by hand on actix-web.
//!
//! All of them answer `sum`, by POST and by GET with a validator, and send the same document: Docent as
//! its description, the others as bytes. `bare` answers all calls of `bench`, from a table of procedures,
//! and sends all the header fields that Docent sends; `plain` has handlers for `sum` alone.

pub mod bare;
pub mod docent;
pub mod followers;
pub mod on_hyper;
pub mod plain;

use std::io;
use std::net::SocketAddr;

use actix_web::dev::Server;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};

/// The number of procedures of a service, so that its description has about 250 kB.
pub const PROCEDURES: usize = 500;

/// Binds a server written by hand to a free port. `configure` adds its routes in each worker.
fn bind(
    workers: usize,
    configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> io::Result<(SocketAddr, Server)> {
    let server = HttpServer::new(move || App::new().configure(&configure));
    let bound = server.workers(workers).bind("127.0.0.1:0")?;
    let address = bound
        .addrs()
        .first()
        .copied()
        .ok_or_else(|| io::Error::other("no address"))?;
    Ok((address, bound.run()))
}
