//! A server that listens.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[cfg(feature = "tls")]
use super::connection::tls::for_http;
use super::leave;
use super::listener::{self, Listener};
use super::routes::Routes;
use super::signals::Signals;
#[cfg(unix)]
use super::socket_file;
use super::{Server, ServerHandle, descriptors, serve};
use crate::stderr;

/// A server that is listening but not running yet.
#[must_use = "a server does nothing until it is run"]
pub struct BoundServer {
    pub(super) settings: Server,
    pub(super) builder: actix_server::ServerBuilder,
    pub(super) routes: Arc<Routes>,
    pub(super) addresses: Vec<SocketAddr>,
    /// The same listeners that the server accepts connections from.
    pub(super) listeners: Vec<Listener>,
    pub(super) signals: Signals,
}

impl BoundServer {
    /// Listens on another address. See [`Server::bind`](super::Server::bind).
    ///
    /// ```
    /// # fn run(service: docent_server::Service) -> std::io::Result<docent_server::BoundServer> {
    /// # use docent_server::Server;
    /// let server = Server::new(service).bind("127.0.0.1:8080")?.bind("[::1]:8080")?;
    /// # Ok(server)
    /// # }
    /// ```
    ///
    /// # Errors
    /// The server cannot listen on the address.
    pub fn bind(mut self, address: impl ToSocketAddrs) -> io::Result<Self> {
        for listener in listener::listen(address)? {
            self = self.with(Listener::Tcp(listener, None))?;
        }
        Ok(self)
    }

    /// Listens on another address, with TLS. See [`Server::bind_tls`](super::Server::bind_tls).
    ///
    /// # Errors
    /// The server cannot listen on the address.
    #[cfg(feature = "tls")]
    pub fn bind_tls(
        mut self,
        address: impl ToSocketAddrs,
        config: impl Into<Arc<rustls::ServerConfig>>,
    ) -> io::Result<Self> {
        let config = for_http(config.into());
        for listener in listener::listen(address)? {
            self = self.with(Listener::Tcp(listener, Some(Arc::clone(&config))))?;
        }
        Ok(self)
    }

    /// Listens on a Unix socket, too. See [`Server::bind_unix`](super::Server::bind_unix).
    ///
    /// # Errors
    /// The server cannot listen on a socket at this path.
    #[cfg(unix)]
    pub fn bind_unix(self, path: impl AsRef<Path>) -> io::Result<Self> {
        let (listener, file) = socket_file::listen(path.as_ref(), self.settings.socket_mode)?;
        self.with(Listener::Unix(listener, file))
    }

    pub(super) fn with(mut self, listener: Listener) -> io::Result<Self> {
        let address = listener.address()?;
        if !address.is_some_and(|address| address.ip().to_canonical().is_loopback()) {
            self.settings
                .options
                .is_local
                .store(false, Ordering::Relaxed);
        }
        self.addresses.extend(address);
        self.listeners.push(listener.try_clone()?);
        self.builder = serve::serve(self.builder, listener, &self.routes)?;
        Ok(self)
    }

    /// Returns a handle that stops the server from code.
    pub fn handle(&self) -> ServerHandle {
        self.settings.handle()
    }

    /// Returns the addresses on which the server listens, in the order in which they were bound. Unix
    /// sockets are not among them.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Announces where it listens: in the log at level INFO, or on stderr if there is no `tracing`
    /// subscriber. Then serves until it receives a signal or its [handle](Self::handle) stops it, and
    /// shuts down gracefully. A second signal ends the process immediately with exit status 1.
    ///
    /// # Errors
    /// The server failed. `TimedOut`: something had not finished within the
    /// [deadline](super::Server::shutdown_deadline) of the shutdown.
    pub async fn run(self) -> io::Result<()> {
        let connections = descriptors::for_connections(&self.settings);
        for listener in &self.listeners {
            let line = self.settings.announcement(&listener.base()?);
            tracing::info!("{line}");
            if stderr::is_log_unread() {
                stderr::write(&line);
            }
        }
        let server = self.builder.max_concurrent_connections(connections).run();
        leave::run_until_signal(
            server,
            self.signals,
            self.settings,
            &self.routes,
            self.listeners,
        )
        .await
    }

    /// Serves until `stop` has finished, then stops at once. For tests: connections and running calls
    /// are dropped, and signals are left to the process.
    pub(crate) async fn run_until(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let server = self.builder.run();
        let handle = server.handle();
        let stopping = async {
            stop.await;
            handle.stop(false).await;
        };
        tokio::join!(server, stopping).0
    }
}

impl std::fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundServer")
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}
