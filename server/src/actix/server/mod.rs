//! An HTTP server that listens, serves, and shuts down gracefully.

mod announce;
mod connection;
mod descriptors;
mod handle;
mod late;
mod leave;
mod parts;
#[cfg(feature = "docs")]
mod reference;
mod routes;
mod serve;
mod signals;
mod stalled;

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use docent_core::Service;

use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::options::HttpOptions;
use announce::Served;
pub use handle::ServerHandle;
use leave::Shutdown;
use signals::Signals;

/// An HTTP server for services, with `/health` and the reference site at `/docs`.
///
/// On SIGTERM and SIGINT it shuts down gracefully: it rejects new calls, finishes running calls
/// within a deadline, and returns 503 from `/health` in the meantime. A second signal ends the
/// process immediately.
///
/// ```
/// use std::time::Duration;
///
/// use docent_server::{Cx, Fault, Procedure, Server, Service};
///
/// # #[actix_web::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534601")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let server = Server::new(service)
///     .workers(1)
///     .options(|options| options.body_timeout = Duration::from_secs(10))
///     .shutdown_deadline(Duration::from_secs(20))
///     .bind("127.0.0.1:0")?;
/// assert_eq!(server.addresses().len(), 1);
/// # if false {
/// server.run().await?;
/// # }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a server does nothing until it is bound and run"]
pub struct Server {
    services: Vec<(String, Service)>,
    options: HttpOptions,
    workers: Option<usize>,
    connections: Option<usize>,
    keep_descriptor_limit: bool,
    blocking_threads: Option<usize>,
    shutdown: Duration,
    health: Health,
    handle: ServerHandle,
    docs: bool,
    #[cfg(feature = "metrics")]
    counting: parts::Counting,
}

impl Server {
    /// Serves a service at `/rpc`.
    pub fn new(service: Service) -> Self {
        Self::at("/rpc", service)
    }

    /// Serves a service at another path, such as `/rpc/v2`. The paths `/health`, `/metrics` and
    /// `/docs` are taken.
    pub fn at(path: impl Into<String>, service: Service) -> Self {
        Self {
            services: vec![(path.into(), service)],
            options: HttpOptions::default(),
            workers: None,
            connections: None,
            keep_descriptor_limit: false,
            blocking_threads: None,
            shutdown: Duration::from_secs(30),
            health: Health::new(),
            handle: ServerHandle::new(),
            docs: cfg!(feature = "docs"),
            #[cfg(feature = "metrics")]
            counting: parts::Counting::default(),
        }
    }

    /// Mounts another service, or another version of one.
    pub fn mount(mut self, path: impl Into<String>, service: Service) -> Self {
        self.services.push((path.into(), service));
        self
    }

    /// Changes the HTTP options.
    pub fn options(mut self, change: impl FnOnce(&mut HttpOptions)) -> Self {
        change(&mut self.options);
        self.options.bound_times();
        self
    }

    /// Disables the reference site.
    pub fn without_docs(mut self) -> Self {
        self.docs = false;
        self
    }

    /// Collects metrics and serves them at `/metrics` for Prometheus.
    ///
    /// Anyone who can reach the service can read them. To serve them at a separate address, use
    /// [`count_in`](Self::count_in).
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self) -> Self {
        self.counting = parts::Counting {
            metrics: Some(Metrics::new()),
            served: true,
        };
        self
    }

    /// Collects metrics without serving them.
    #[cfg(feature = "metrics")]
    pub fn count_in(mut self, metrics: &Metrics) -> Self {
        self.counting = parts::Counting {
            metrics: Some(metrics.clone()),
            served: false,
        };
        self
    }

    /// Sets the number of worker threads, at least one. The default is one per core.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Sets how many connections each worker accepts, at least one. Further connections wait until another one
    /// closes. Default: 25,000.
    ///
    /// [`BoundServer::run`] raises the limit of open files (`RLIMIT_NOFILE`) as needed. If the
    /// system does not allow that, it logs a warning and accepts fewer connections.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = Some(connections);
        self
    }

    /// Leaves the limit of open files unchanged, for programs that manage it themselves or start
    /// child processes that should not inherit a higher one.
    pub fn keep_descriptor_limit(mut self) -> Self {
        self.keep_descriptor_limit = true;
        self
    }

    /// Sets how many threads each worker has for blocking procedures, at least one. Further calls
    /// wait. Default: 512 divided by the number of cores.
    pub fn blocking_threads(mut self, threads: usize) -> Self {
        self.blocking_threads = Some(threads.max(1));
        self
    }

    /// Sets how long a graceful shutdown waits for calls to finish and their responses to be sent.
    /// Default: 30 s.
    pub fn shutdown_deadline(mut self, deadline: Duration) -> Self {
        self.shutdown = deadline;
        self
    }

    /// Asks `check` whether the service can do its work, for example whether it can reach its database.
    /// `/health` is 503 while the check fails or takes longer than 1 s; calls are still accepted. See
    /// [`Health::ready`].
    ///
    /// ```
    /// # use docent_server::{Server, Service};
    /// # async fn ping() -> Result<(), std::io::Error> { Ok(()) }
    /// # fn ready(service: Service) -> Server {
    /// Server::new(service).ready(|| async { ping().await })
    /// # }
    /// ```
    pub fn ready<F, E>(mut self, check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: std::fmt::Display,
    {
        self.health = self.health.ready(check);
        self
    }

    /// Returns a handle that stops the server from code. Clones of the server share it.
    pub fn handle(&self) -> ServerHandle {
        self.handle.clone()
    }

    /// Listens on an address, such as `127.0.0.1:8080`. Port 0 selects a free port.
    ///
    /// # Errors
    /// The server cannot listen on the address; the error names it, and has the kind of the system's
    /// error, such as `AddrInUse`. `InvalidInput`: no request could reach a service, because its path
    /// is taken, invalid, or the address of a procedure; or a server with these settings could serve
    /// nobody.
    pub fn bind(self, address: impl ToSocketAddrs) -> io::Result<BoundServer> {
        self.check_numbers()?;
        let listeners = serve::listen(address)?;
        let Self {
            workers,
            connections,
            keep_descriptor_limit,
            blocking_threads,
            shutdown,
            ref handle,
            ..
        } = self;
        let handle = handle.clone();
        let workers = workers.unwrap_or_else(one_for_each_core);
        let options = self.options.clone();
        let paths = self.services.iter().map(|(path, _)| &**path);
        let served = Served::new(paths, self.docs.then(parts::site));
        let parts = self.into_parts()?;
        let (mounts, health) = (parts.mounts.clone(), parts.health.clone());
        let mut builder = actix_server::Server::build()
            .disable_signals()
            .workers(workers);
        if let Some(threads) = blocking_threads {
            builder = builder.worker_max_blocking_threads(threads);
        }
        let (mut addresses, mut kept) = (Vec::new(), Vec::new());
        for listener in listeners {
            addresses.push(listener.local_addr()?);
            kept.push(listener.try_clone()?);
            builder = serve::serve(builder, listener, parts.clone(), options.clone())?;
        }
        Ok(BoundServer {
            builder: builder.shutdown_timeout(1),
            workers,
            connections,
            keep_descriptor_limit,
            addresses,
            served,
            signals: Signals::new(),
            shutdown: Shutdown {
                mounts,
                health,
                listeners: kept,
                retry_after: options.retry_after_seconds(),
                deadline: shutdown,
                stop: handle,
            },
        })
    }
}

impl Server {
    /// Rejects numbers with which the server could serve nobody.
    fn check_numbers(&self) -> io::Result<()> {
        let mistake = if self.workers == Some(0) {
            "`Server::workers(0)`: a server needs at least one worker"
        } else if self.connections == Some(0) {
            "`Server::connections(0)`: a worker needs at least one connection"
        } else {
            return Ok(());
        };
        Err(io::Error::new(io::ErrorKind::InvalidInput, mistake))
    }
}

/// Returns the number of workers that actix-server starts by default.
fn one_for_each_core() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(512))
}

/// A server that is listening but not running yet.
#[must_use = "a server does nothing until it is run"]
pub struct BoundServer {
    builder: actix_server::ServerBuilder,
    workers: usize,
    connections: Option<usize>,
    keep_descriptor_limit: bool,
    addresses: Vec<SocketAddr>,
    served: Served,
    signals: Signals,
    shutdown: Shutdown,
}

impl BoundServer {
    /// Returns a handle that stops the server from code.
    pub fn handle(&self) -> ServerHandle {
        self.shutdown.stop.clone()
    }

    /// Returns the addresses on which the server listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Says where it listens: in the log at level INFO, or on stderr if there is no `tracing` subscriber.
    /// Serves until it receives a signal or its [handle](Self::handle) stops it, then shuts down gracefully. A second signal ends the
    /// process immediately with exit status 1.
    ///
    /// # Errors
    /// The server failed. `TimedOut`: something had not finished within the
    /// [deadline](Server::shutdown_deadline) of the shutdown.
    pub async fn run(self) -> io::Result<()> {
        let Self {
            builder,
            workers,
            connections,
            keep_descriptor_limit,
            addresses,
            served,
            signals,
            shutdown,
        } = self;
        let connections = descriptors::for_connections(connections, workers, keep_descriptor_limit);
        served.announce(&addresses);
        let server = builder.max_concurrent_connections(connections).run();
        leave::run_until_signal(server, signals, shutdown).await
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
