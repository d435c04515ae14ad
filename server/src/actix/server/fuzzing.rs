//! Connections over a stream of the caller's own, for fuzzing.

use std::io;

use actix_http::error::DispatchError;
use actix_service::boxed::BoxService;
use actix_service::{Service as _, ServiceFactory as _};
use docent_core::Service;

use super::Server;
pub use super::connection::stream::Stream;
use super::connection::{Connection, Times};
use super::routes::Routes;
use super::serve::{Accepted, erased, http};

/// A server without listeners, for connections over any stream.
pub struct Connections {
    http: BoxService<Accepted, (), DispatchError>,
    times: Times,
    service: Service,
}

impl Connections {
    /// Serves a service at `/rpc`. It must be polled in a `LocalSet`.
    pub async fn new(service: Service) -> io::Result<Self> {
        let server = Server::new(service).without_docs();
        let options = server.options.clone();
        let parts = server.into_parts()?;
        let service = parts.first.clone();
        let leaving = actix_server::Server::build().graceful_shutdown_signal();
        let http = erased(http(Routes::new(parts), &options, None, leaving));
        let http = http.new_service(()).await;
        Ok(Self {
            http: http.map_err(|()| io::ErrorKind::Other)?,
            times: Times::of(&options),
            service,
        })
    }

    /// Serves a connection until it has ended.
    pub async fn serve(&self, stream: impl Stream) {
        let connection = Connection::new(stream, self.times, self.service.clone(), None);
        // The server logs errors where they matter.
        let _ = self.http.call((connection, None)).await;
    }
}
