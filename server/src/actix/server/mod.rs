//! A server that stands alone: it listens, serves, and leaves in good order.

pub(crate) mod connection;
mod descriptors;
mod late;
mod leave;
mod parts;
#[cfg(feature = "docs")]
mod reference;
mod serve;
mod signals;
mod stalled;

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use docent_core::Service;

#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::options::HttpOptions;
use leave::Shutdown;
use signals::Signals;

/// Services on an HTTP server of their own, with `/health` and the reference at `/docs` beside
/// them.
///
/// SIGTERM and SIGINT make it leave: new calls are refused, what runs is finished within a
/// deadline, `/health` says 503 meanwhile. A second signal makes it leave at once.
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
    docs: bool,
    #[cfg(feature = "metrics")]
    counting: parts::Counting,
}

impl Server {
    /// Serves a service at `/rpc`.
    pub fn new(service: Service) -> Self {
        Self::at("/rpc", service)
    }

    /// Serves a service at a path of your choice, such as `/rpc/v2`; `/health`, `/metrics` and `/docs`
    /// are taken.
    pub fn at(path: impl Into<String>, service: Service) -> Self {
        Self {
            services: vec![(path.into(), service)],
            options: HttpOptions::default(),
            workers: None,
            connections: None,
            keep_descriptor_limit: false,
            blocking_threads: None,
            shutdown: Duration::from_secs(30),
            docs: cfg!(feature = "docs"),
            #[cfg(feature = "metrics")]
            counting: parts::Counting::default(),
        }
    }

    /// Serves another service, or another version of one, at a path of its own.
    pub fn mount(mut self, path: impl Into<String>, service: Service) -> Self {
        self.services.push((path.into(), service));
        self
    }

    /// Configures the transport.
    pub fn options(mut self, change: impl FnOnce(&mut HttpOptions)) -> Self {
        change(&mut self.options);
        self.options.bound_times();
        self
    }

    /// Serves no reference.
    pub fn without_docs(mut self) -> Self {
        self.docs = false;
        self
    }

    /// Counts calls, and serves the counts at `/metrics` for Prometheus.
    ///
    /// Whoever reaches the service reaches them too. Where that is not meant,
    /// [`count_in`](Self::count_in) counts for an address of its own.
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self) -> Self {
        self.counting = parts::Counting {
            metrics: Some(Metrics::new()),
            served: true,
        };
        self
    }

    /// Counts calls, and leaves it to others to serve the counts.
    #[cfg(feature = "metrics")]
    pub fn count_in(mut self, metrics: &Metrics) -> Self {
        self.counting = parts::Counting {
            metrics: Some(metrics.clone()),
            served: false,
        };
        self
    }

    /// The number of threads that serve; one for each core unless given.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    /// The most connections that each worker has at once; 25,000 unless given. One more waits until
    /// another is closed.
    ///
    /// [`BoundServer::run`] raises the process's limit for open files (`RLIMIT_NOFILE`) as far as these
    /// need it and the system allows. Where that is not far enough, it says so in the log and takes as
    /// many connections as there may be.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = Some(connections);
        self
    }

    /// Leaves the process's limit for open files as it is, for a program that manages the limit itself
    /// or starts others that should not inherit a higher one.
    pub fn keep_descriptor_limit(mut self) -> Self {
        self.keep_descriptor_limit = true;
        self
    }

    /// The most threads of each worker that run blocking procedures, at least one; further calls
    /// wait for one of them. 512 divided by the number of cores unless given.
    pub fn blocking_threads(mut self, threads: usize) -> Self {
        self.blocking_threads = Some(threads.max(1));
        self
    }

    /// How long the server waits for calls to end, and for their answers to be taken, when it is told
    /// to leave; 30 s unless given.
    pub fn shutdown_deadline(mut self, deadline: Duration) -> Self {
        self.shutdown = deadline;
        self
    }

    /// Listens at an address, such as `127.0.0.1:8080`; port 0 takes any that is free.
    ///
    /// # Errors
    /// The address cannot be listened at. `InvalidInput`: a service could never be reached at its path,
    /// because that is taken, is one that no request has, or is the address of a procedure.
    pub fn bind(self, address: impl ToSocketAddrs) -> io::Result<BoundServer> {
        let listeners = serve::listen(address)?;
        let Self {
            workers,
            connections,
            keep_descriptor_limit,
            blocking_threads,
            shutdown,
            ..
        } = self;
        let workers = workers.unwrap_or_else(one_for_each_core);
        let options = self.options.clone();
        let parts = self.into_parts()?;
        let (mounts, health) = (parts.mounts().to_vec(), parts.health().clone());
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
            signals: Signals::new(),
            shutdown: Shutdown {
                mounts,
                health,
                listeners: kept,
                retry_after: options.retry_after_seconds(),
                deadline: shutdown,
            },
        })
    }
}

/// As many workers as actix-server starts.
fn one_for_each_core() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(512))
}

/// A server that listens and waits to be run.
#[must_use = "a server does nothing until it is run"]
pub struct BoundServer {
    builder: actix_server::ServerBuilder,
    workers: usize,
    connections: Option<usize>,
    keep_descriptor_limit: bool,
    addresses: Vec<SocketAddr>,
    signals: Signals,
    shutdown: Shutdown,
}

impl BoundServer {
    /// The addresses at which the server listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Serves until a signal says to leave, then leaves. A second signal ends the process at once,
    /// with the exit status 1.
    ///
    /// # Errors
    /// The server broke down. `TimedOut`: it has left, and something had not ended within the
    /// [deadline](Server::shutdown_deadline).
    pub async fn run(self) -> io::Result<()> {
        let Self {
            builder,
            workers,
            connections,
            keep_descriptor_limit,
            signals,
            shutdown,
            ..
        } = self;
        let connections = descriptors::for_connections(connections, workers, keep_descriptor_limit);
        let server = builder.max_concurrent_connections(connections).run();
        leave::run_until_signal(server, signals, shutdown).await
    }
}

impl std::fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundServer")
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}
