//! Connections over a stream of the caller's own, for fuzzing.
//!
//! It exists for the fuzz targets of this repository, which need connections without sockets.

use std::io;
use std::sync::Arc;

use docent_core::Service;
use docent_http::{ListenerInfo, RouteTable, Routes};
use tokio::sync::watch;

use super::connection::serve;
pub use super::connection::stream::Stream;
use super::connection::worker::Worker;
use super::settings::ConnectionTimes;

/// A server without listeners, for connections over any stream.
pub struct Connections(Worker);

impl Connections {
    /// Serves a service at `/rpc`. It must be created and polled in a `LocalSet`.
    #[expect(
        clippy::unused_async,
        reason = "needs the runtime that it is awaited in"
    )]
    pub async fn new(service: Service) -> io::Result<Self> {
        let shutting_down = actix_server::Server::build().graceful_shutdown_signal();
        let routes = Arc::new(RouteTable::new(&Routes::new(service).without_docs())?);
        let listener = ListenerInfo::default();
        let (_, stopping) = watch::channel(false);
        let times = ConnectionTimes::default();
        let worker = Worker::new(routes, listener, shutting_down, stopping, None, times);
        Ok(Self(worker))
    }

    /// Serves a connection until it has ended.
    pub async fn serve(&self, stream: impl Stream) {
        serve(stream, None, &self.0).await;
    }
}
