//! A server that stands alone: it listens, serves, and leaves in good order.

mod leave;
#[cfg(feature = "docs")]
mod reference;

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};
#[cfg(feature = "docs")]
use actix_web::{guard, web};
use docent_core::Service;

use crate::health::Health;
use crate::mount::Mount;
use crate::options::HttpOptions;

/// Services on an HTTP server of their own, with `/health` and the reference at `/docs` beside
/// them.
///
/// SIGTERM and SIGINT make it leave: new calls are refused, what runs is finished within a
/// deadline, `/health` says 503 meanwhile. A second signal makes it leave at once.
#[derive(Debug, Clone)]
#[must_use = "a server does nothing until it is bound and run"]
pub struct Server {
    services: Vec<(String, Service)>,
    options: HttpOptions,
    workers: Option<usize>,
    blocking_threads: Option<usize>,
    shutdown: Duration,
    docs: bool,
}

/// What every worker serves.
#[derive(Clone)]
struct Parts {
    mounts: Vec<Mount>,
    health: Health,
    #[cfg(feature = "docs")]
    docs: Option<crate::docs::Docs>,
}

impl Server {
    /// Serves a service at `/rpc`.
    pub fn new(service: Service) -> Self {
        Self::at("/rpc", service)
    }

    /// Serves a service at a path of your choice; `/health` and `/docs` are taken.
    pub fn at(path: impl Into<String>, service: Service) -> Self {
        Self {
            services: vec![(path.into(), service)],
            options: HttpOptions::default(),
            workers: None,
            blocking_threads: None,
            shutdown: Duration::from_secs(30),
            docs: cfg!(feature = "docs"),
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
        self
    }

    /// Serves no reference.
    pub fn without_docs(mut self) -> Self {
        self.docs = false;
        self
    }

    /// The number of threads that serve; one for each core unless given.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    /// The most threads of each worker that run blocking procedures, at least one; further calls
    /// wait for one of them. 512 divided by the number of cores unless given.
    pub fn blocking_threads(mut self, threads: usize) -> Self {
        self.blocking_threads = Some(threads.max(1));
        self
    }

    /// How long the server waits for calls to end when it is told to leave; 30 s unless given.
    pub fn shutdown_deadline(mut self, deadline: Duration) -> Self {
        self.shutdown = deadline;
        self
    }

    /// Listens at an address, such as `127.0.0.1:8080`; port 0 takes any that is free.
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub fn bind(self, address: impl ToSocketAddrs) -> io::Result<BoundServer> {
        let Self {
            workers,
            blocking_threads,
            shutdown,
            ..
        } = self;
        let (parts, running) = self.into_parts()?;
        let health = parts.health.clone();
        let mut server = HttpServer::new(move || {
            let parts = parts.clone();
            App::new().configure(|config| parts.register(config))
        });
        if let Some(workers) = workers {
            server = server.workers(workers);
        }
        if let Some(threads) = blocking_threads {
            server = server.worker_max_blocking_threads(threads);
        }
        // Without this a caller that hangs up is noticed only when an answer is written to it.
        let server = server
            .h1_allow_half_closed(false)
            .disable_signals()
            .bind(address)?;
        let addresses = server.addrs();
        let server = server.shutdown_timeout(1).run();
        Ok(BoundServer {
            server,
            addresses,
            running,
            health,
            shutdown,
        })
    }

    #[cfg_attr(
        not(feature = "docs"),
        expect(clippy::unnecessary_wraps, reason = "only a reference can fail")
    )]
    fn into_parts(self) -> io::Result<(Parts, Vec<Service>)> {
        let Self {
            mut services,
            options,
            docs,
            ..
        } = self;
        for (path, service) in &services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        #[cfg(feature = "docs")]
        let docs = if docs {
            Some(reference::of(&mut services)?)
        } else {
            None
        };
        #[cfg(not(feature = "docs"))]
        let _ = (docs, &mut services);
        let health = Health::new();
        let mounts = services.iter().map(|(path, service)| {
            let mount = Mount::new(path.clone(), service).options(options.clone());
            #[cfg(feature = "docs")]
            let mount = match &docs {
                Some(_) => mount.documentation(&reference::link(path)),
                None => mount,
            };
            mount.health(&health)
        });
        let mounts = mounts.collect();
        let running = services.into_iter().map(|(_, service)| service).collect();
        let parts = Parts {
            mounts,
            health,
            #[cfg(feature = "docs")]
            docs,
        };
        Ok((parts, running))
    }
}

impl Parts {
    fn register(self, config: &mut ServiceConfig) {
        config.service(self.health);
        #[cfg(feature = "docs")]
        let has_docs = self.docs.is_some();
        #[cfg(feature = "docs")]
        if let Some(docs) = self.docs {
            config.service(docs);
        }
        for mount in self.mounts {
            config.service(mount);
        }
        // Whoever knows only the host gets to the reference, unless a service is mounted there.
        #[cfg(feature = "docs")]
        if has_docs {
            let readers = guard::Any(guard::Get()).or(guard::Head());
            config.service(web::resource("/").guard(readers).to(reference::from_root));
        }
    }
}

/// A server that listens and waits to be run.
#[must_use = "a server does nothing until it is run"]
pub struct BoundServer {
    server: actix_web::dev::Server,
    addresses: Vec<SocketAddr>,
    running: Vec<Service>,
    health: Health,
    shutdown: Duration,
}

impl BoundServer {
    /// The addresses at which the server listens.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Serves until a signal says to leave, then leaves.
    ///
    /// # Errors
    /// The server broke down.
    pub async fn run(self) -> io::Result<()> {
        let Self {
            server,
            running,
            health,
            shutdown,
            ..
        } = self;
        let leaving = leave::on_signal(server.handle(), running, health, shutdown);
        tokio::select! {
            ended = server => ended,
            never = leaving => match never {},
        }
    }
}

impl std::fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundServer")
            .field("addresses", &self.addresses)
            .finish_non_exhaustive()
    }
}
