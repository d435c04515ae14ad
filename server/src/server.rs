//! A server that stands alone: it listens, serves, and leaves in good order.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer};
use docent_core::Service;
use tokio::time::{sleep, timeout};

use crate::health::Health;
use crate::mount::Mount;
use crate::options::HttpOptions;

/// Services on an HTTP server of their own, with `/health` beside them.
///
/// SIGTERM and SIGINT make it leave: new calls are refused, what runs is finished within a
/// deadline, `/health` says 503 meanwhile. A second signal makes it leave at once.
#[derive(Debug, Clone)]
#[must_use = "a server does nothing until it is bound and run"]
pub struct Server {
    services: Vec<(String, Service)>,
    options: HttpOptions,
    workers: Option<usize>,
    shutdown: Duration,
}

impl Server {
    /// Serves a service at `/rpc`.
    pub fn new(service: Service) -> Self {
        Self {
            services: vec![("/rpc".to_owned(), service)],
            options: HttpOptions::default(),
            workers: None,
            shutdown: Duration::from_secs(30),
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

    /// The number of threads that serve; one for each core unless given.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
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
        for (path, service) in &self.services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        let health = Health::new();
        let Self {
            services,
            options,
            workers,
            shutdown,
        } = self;
        let running = services
            .iter()
            .map(|(_, service)| service.clone())
            .collect();
        let factory_health = health.clone();
        let mut server = HttpServer::new(move || {
            services.iter().fold(
                App::new().service(factory_health.clone()),
                |app, (path, service)| {
                    let mount = Mount::new(path.clone(), service)
                        .options(options.clone())
                        .draining(factory_health.clone());
                    app.service(mount)
                },
            )
        });
        if let Some(workers) = workers {
            server = server.workers(workers);
        }
        // Without this a caller that hangs up is noticed only when an answer is written to it.
        let server = server
            .h1_allow_half_closed(false)
            .disable_signals()
            .bind(address)?;
        let addresses = server.addrs();
        Ok(BoundServer {
            server: server.shutdown_timeout(1).run(),
            addresses,
            running,
            health,
            shutdown,
        })
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
        let leaving = leave_on_signal(server.handle(), running, health, shutdown);
        tokio::select! {
            ended = server => ended,
            never = leaving => match never {},
        }
    }
}

/// Waits for a signal and leaves in good order. Never ends: the server's own end is the end.
async fn leave_on_signal(
    handle: ServerHandle,
    services: Vec<Service>,
    health: Health,
    deadline: Duration,
) -> std::convert::Infallible {
    signal().await;
    tracing::info!("leaving: new calls are refused, running ones are finished");
    health.leave();
    tokio::select! {
        // The listener stays open meanwhile, so that `/health` can be asked and answers 503.
        finished = timeout(deadline, all_calls_end(&services)) => {
            if finished.is_err() {
                tracing::warn!("leaving with calls that have not ended within the deadline");
            }
            handle.stop(true).await;
        }
        () = signal() => {
            tracing::warn!("leaving at once");
            std::process::exit(1);
        }
    }
    std::future::pending().await
}

async fn all_calls_end(services: &[Service]) {
    while services.iter().any(|service| service.running_calls() > 0) {
        sleep(Duration::from_millis(20)).await;
    }
}

/// SIGTERM or SIGINT, whichever comes first.
#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        // Without signals the server can only be ended from outside, which needs no help of ours.
        _ => std::future::pending().await,
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
