//! A server that listens.
//!
//! Binding fails early, before the program goes on, and tells the address. Serving begins when the
//! server is awaited.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;

use docent_http::{ListenerInfo, RouteTable, stderr};
use socket2::SockRef;
use tokio::sync::watch;

use super::backlog::MAX_BACKLOG;
#[cfg(feature = "tls")]
use super::connection::tls::for_http;
use super::handle::ServerHandle;
use super::listener::{self, Listener};
use super::own_routes::OwnRoutes;
use super::settings::Server;
#[cfg(unix)]
use super::socket_file;
use super::{descriptors, serve, shutdown};
use crate::signals::Signals;

impl Server {
    /// Listens on an address, such as `127.0.0.1:8080`. Port 0 selects a free port.
    ///
    /// To listen on more addresses, with TLS or on Unix sockets too, call the methods of the returned
    /// [`BoundServer`]. All addresses have the same services and the same protection.
    ///
    /// # Errors
    /// The server cannot listen on the address: the error names it, and has the kind of the system's
    /// error, such as `AddrInUse`. `InvalidInput`: no request could reach a service, because its path
    /// is taken, invalid, or the address of a procedure; or another setting is invalid, such as an origin or a
    /// number of workers. `Other`: the site has problems.
    pub fn bind(self, address: impl ToSocketAddrs) -> io::Result<BoundServer> {
        self.prepared()?.bind(address)
    }

    /// Serves on a socket that is already bound, for example one that you bound before you opened a
    /// database.
    ///
    /// # Errors
    /// As for [`bind`](Self::bind).
    pub fn listen(self, listener: TcpListener) -> io::Result<BoundServer> {
        SockRef::from(&listener).listen(MAX_BACKLOG)?;
        self.prepared()?
            .with_listener(Listener::Tcp(listener, None))
    }

    /// Listens on an address with TLS, and serves HTTP/1.1 to clients that complete the handshake within
    /// [`handshake_timeout`](Self::handshake_timeout).
    ///
    /// `config` sets the certificates, the versions of TLS, and whether clients need certificates. The
    /// server overrides two settings: ALPN offers `http/1.1`, and early data is not accepted. See the
    /// [guide](crate::guide::deployment#tls).
    ///
    /// # Errors
    /// As for [`bind`](Self::bind).
    #[cfg(feature = "tls")]
    pub fn bind_tls(
        self,
        address: impl ToSocketAddrs,
        config: impl Into<Arc<rustls::ServerConfig>>,
    ) -> io::Result<BoundServer> {
        self.prepared()?.bind_tls(address, config)
    }

    /// Listens on a Unix socket. The server creates the file at `path`, with the permissions of
    /// [`socket_mode`](Self::socket_mode), and removes it when it stops. It never replaces an existing
    /// file: if a killed process has left one behind, remove it first.
    ///
    /// Requests have no [`Peer`](crate::Peer). To trust the `X-Forwarded-For` of a proxy that connects
    /// to this socket, add `"unix:"` to [`trusted_proxies`](crate::HttpOptions::trusted_proxies).
    ///
    /// # Errors
    /// As for [`bind`](Self::bind). `AddrInUse`: the file exists.
    #[cfg(unix)]
    pub fn bind_unix(self, path: impl AsRef<Path>) -> io::Result<BoundServer> {
        self.prepared()?.bind_unix(path)
    }

    /// Returns a server that is yet to listen.
    fn prepared(self) -> io::Result<BoundServer> {
        self.check_numbers()?;
        let mut builder = actix_server::Server::build()
            .disable_signals()
            .workers(self.count_workers())
            .shutdown_timeout(1);
        if let Some(threads) = self.blocking_threads {
            builder = builder.worker_max_blocking_threads(threads);
        }
        let routes = Arc::new(RouteTable::new(&self.routes)?);
        Ok(BoundServer {
            own_routes: OwnRoutes::new(&self.own_routes, &routes)?,
            routes,
            stopping: watch::Sender::new(false),
            settings: self,
            builder,
            addresses: Vec::new(),
            listeners: Vec::new(),
            signals: Signals::new(),
        })
    }
}

/// A server that is listening but not running yet.
#[must_use = "a server does nothing until it is run"]
pub struct BoundServer {
    settings: Server,
    builder: actix_server::ServerBuilder,
    routes: Arc<RouteTable>,
    own_routes: Option<OwnRoutes>,
    /// Tells connections that the server has begun to shut down.
    stopping: watch::Sender<bool>,
    addresses: Vec<SocketAddr>,
    /// The same listeners that the server accepts connections from.
    listeners: Vec<Listener>,
    signals: Signals,
}

impl BoundServer {
    /// Listens on another address. See [`Server::bind`](super::Server::bind).
    ///
    /// ```
    /// # fn run(service: docent::Service) -> std::io::Result<docent::BoundServer> {
    /// # use docent::Server;
    /// let server = Server::new(service).bind("127.0.0.1:8080")?.bind("[::1]:8080")?;
    /// # Ok(server)
    /// # }
    /// ```
    ///
    /// # Errors
    /// The server cannot listen on the address.
    pub fn bind(mut self, address: impl ToSocketAddrs) -> io::Result<Self> {
        for listener in listener::listen(address)? {
            self = self.with_listener(Listener::Tcp(listener, None))?;
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
            self = self.with_listener(Listener::Tcp(listener, Some(Arc::clone(&config))))?;
        }
        Ok(self)
    }

    /// Also listens on a Unix socket. See [`Server::bind_unix`](super::Server::bind_unix).
    ///
    /// # Errors
    /// The server cannot listen on a socket at this path.
    #[cfg(unix)]
    pub fn bind_unix(self, path: impl AsRef<Path>) -> io::Result<Self> {
        let (listener, file) = socket_file::listen(path.as_ref(), self.settings.mode_of_socket())?;
        self.with_listener(Listener::Unix(listener, file))
    }

    fn with_listener(mut self, listener: Listener) -> io::Result<Self> {
        let address = listener.address()?;
        let options = &self.routes.first().options;
        let is_loopback = address.is_some_and(|address| address.ip().to_canonical().is_loopback());
        let info = ListenerInfo {
            // A trusted proxy passes on the hosts of the Internet.
            is_local: is_loopback && options.trusted_proxies.is_empty(),
            is_secure: listener.is_secure(),
        };
        self.addresses.extend(address);
        self.listeners.push(listener.try_clone()?);
        let routes = Arc::clone(&self.routes);
        let own = self.own_routes.clone();
        self.builder = serve::serve(
            self.builder,
            listener,
            info,
            routes,
            own,
            self.settings.times,
            self.stopping.subscribe(),
        )?;
        Ok(self)
    }

    /// Returns a handle that stops the server from code.
    pub fn handle(&self) -> ServerHandle {
        self.settings.handle()
    }

    /// Returns the addresses on which the server listens, in the order in which they were bound, without
    /// Unix sockets.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Serves until a signal or the [handle](Self::handle) stops the server, then shuts down gracefully. A
    /// second signal ends the process immediately with exit status 1.
    ///
    /// The addresses are logged at level INFO, or written to stderr if there is no `tracing` subscriber.
    ///
    /// # Errors
    /// The server failed. `TimedOut`: the shutdown was not complete within its
    /// [deadline](super::Server::shutdown_deadline).
    pub async fn run(self) -> io::Result<()> {
        for warning in self.settings.idle_at(&self.listeners) {
            tracing::warn!("{warning}");
        }
        let connections = descriptors::for_connections(&self.settings);
        for listener in &self.listeners {
            let line = self.settings.routes.announcement(&listener.base()?);
            tracing::info!("{line}");
            if stderr::is_log_unread() {
                stderr::write(&line);
            }
        }
        let server = self.builder.max_concurrent_connections(connections).run();
        shutdown::run_until_signal(
            server,
            self.signals,
            self.settings,
            &self.routes,
            &self.stopping,
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
