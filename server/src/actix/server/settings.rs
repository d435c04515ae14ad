//! The settings of a server.
//!
//! They are those of listeners and connections, and are collected without effect until the server binds. What is served,
//! and how, is a choice of [`Routes`]; limits of calls are those of each service.

use std::io;
use std::time::Duration;

use actix_web::web::ServiceConfig;
use docent_http::{MAX_DURATION, Routes};

use super::handle::ServerHandle;
use super::listener::Listener;
use super::own_routes::RouteFunctions;

/// An HTTP server for services, with `/health` and the reference site at `/docs`.
///
/// It serves [`Routes`], or a service alone at `/rpc`. The server itself has the settings of listeners and connections.
///
/// On SIGTERM or SIGINT, it shuts down gracefully: `/health` returns 503, new calls are rejected (after a
/// [notice](Self::shutdown_notice), if you set one), and running calls finish within a
/// [deadline](Self::shutdown_deadline). A second signal ends the process immediately.
///
/// ```
/// use std::time::Duration;
///
/// use docent::{Cx, Fault, Procedure, Routes, Server, Service};
///
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534601")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let server = Server::new(Routes::at("/rpc/v1", service).cors(["https://example.com"]))
///     .workers(1)
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
    pub(super) routes: Routes,
    pub(super) workers: Option<usize>,
    pub(super) connections: Option<usize>,
    pub(super) blocking_threads: Option<usize>,
    pub(super) times: ConnectionTimes,
    pub(super) notice: Duration,
    pub(super) shutdown: Duration,
    #[cfg(unix)]
    pub(super) socket_mode: Option<u32>,
    pub(super) handle: ServerHandle,
    /// The functions that register the user's own routes.
    pub(super) own_routes: RouteFunctions,
}

/// The time limits of connections.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConnectionTimes {
    pub(super) head: Duration,
    pub(super) handshake: Duration,
    pub(super) keep_alive: Duration,
}

impl Default for ConnectionTimes {
    fn default() -> Self {
        let time = Duration::from_secs(5);
        Self {
            head: time,
            handshake: time,
            keep_alive: time,
        }
    }
}

impl Server {
    /// Creates a server for these routes, or for a service, which it serves at `/rpc`.
    pub fn new(routes: impl Into<Routes>) -> Self {
        Self {
            routes: routes.into(),
            workers: None,
            connections: None,
            blocking_threads: None,
            times: ConnectionTimes::default(),
            notice: Duration::ZERO,
            shutdown: Duration::from_secs(30),
            #[cfg(unix)]
            socket_mode: None,
            handle: ServerHandle::new(),
            own_routes: RouteFunctions::default(),
        }
    }

    /// Adds your own actix-web routes beside the services, such as a webhook, a file or a page. `configure`
    /// runs once for each worker and listener. Further calls add more routes.
    ///
    /// Guards and authenticators cover only procedures: the handlers of your routes check credentials
    /// themselves.
    ///
    /// The server's own addresses take precedence, but a route at `/` replaces the redirect to the reference
    /// site. The [guide](crate::guide::embedding) lists what the server does for these routes.
    ///
    /// ```
    /// use actix_web::{HttpResponse, web};
    /// use docent::{Server, Service};
    ///
    /// async fn paid(event: web::Bytes) -> HttpResponse {
    ///     println!("{} bytes", event.len());
    ///     HttpResponse::NoContent().finish()
    /// }
    ///
    /// # fn server(service: Service) -> Server {
    /// Server::new(service).configure(|routes| {
    ///     routes.route("/hooks/paid", web::post().to(paid));
    /// })
    /// # }
    /// ```
    pub fn configure(
        mut self,
        configure: impl Fn(&mut ServiceConfig) + Send + Sync + 'static,
    ) -> Self {
        self.own_routes.push(configure);
        self
    }

    /// Sets the number of worker threads, at least one. The default is one per core.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Sets how many connections each worker accepts, at least one. Further connections wait until
    /// another one closes. Default: 25,000.
    ///
    /// [`BoundServer::run`](crate::BoundServer::run) raises the limit of open files (`RLIMIT_NOFILE`)
    /// as needed. If the system does not allow that, it logs a warning and accepts fewer connections.
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = Some(connections);
        self
    }

    /// Sets how many threads each worker has for blocking procedures, at least one. Further calls
    /// wait. Default: 512 divided by the number of cores.
    pub fn blocking_threads(mut self, threads: usize) -> Self {
        self.blocking_threads = Some(threads);
        self
    }

    /// Sets the time for a request head to arrive, after which the response is 408. It starts when the connection is
    /// accepted and, for later requests, with their first byte. Zero means no limit. Default: 5 s.
    pub fn head_timeout(mut self, time: Duration) -> Self {
        self.times.head = time.min(MAX_DURATION);
        self
    }

    /// Sets the time for a TLS handshake. After it, the time for a request head starts. Zero means no limit.
    /// Default: 5 s.
    pub fn handshake_timeout(mut self, time: Duration) -> Self {
        self.times.handshake = time.min(MAX_DURATION);
        self
    }

    /// Sets the time that a connection stays open between a response and the first byte of the next request. Zero
    /// closes it after the first response. Default: 5 s.
    pub fn keep_alive(mut self, time: Duration) -> Self {
        self.times.keep_alive = time.min(MAX_DURATION);
        self
    }

    /// Sets how long a graceful shutdown waits for calls to finish and their responses to be sent.
    /// Default: 30 s.
    pub fn shutdown_deadline(mut self, deadline: Duration) -> Self {
        self.shutdown = deadline;
        self
    }

    /// Sets how long the server keeps accepting calls after the signal to shut down, while `/health`
    /// already returns 503. Give your load balancer time to notice, so that it sends no call that
    /// would be rejected. The [deadline](Self::shutdown_deadline) starts afterwards. Default: zero.
    pub fn shutdown_notice(mut self, notice: Duration) -> Self {
        self.notice = notice;
        self
    }

    /// Sets the permissions of the files that [`bind_unix`](Self::bind_unix) creates, regardless of the
    /// umask. To connect, a process needs write permission. Default: `0o660`, the user and the group of
    /// this process.
    #[cfg(unix)]
    pub fn socket_mode(mut self, mode: u32) -> Self {
        self.socket_mode = Some(mode);
        self
    }

    /// Returns a handle that stops the server from code. Clones of the server share it.
    pub fn handle(&self) -> ServerHandle {
        self.handle.clone()
    }

    /// Returns the number of workers. The default is that of actix-server.
    pub(super) fn count_workers(&self) -> usize {
        self.workers.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(2, |cores| cores.get().min(512))
        })
    }

    /// Returns the permissions of the files of Unix sockets.
    #[cfg(unix)]
    pub(super) fn mode_of_socket(&self) -> u32 {
        self.socket_mode.unwrap_or(0o660)
    }

    /// Returns a warning for each setting that none of these listeners needs.
    pub(super) fn idle_at(&self, listeners: &[Listener]) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        #[cfg(unix)]
        if self.socket_mode.is_some() && listeners.iter().all(|listener| listener.file().is_none())
        {
            warnings
                .push("`socket_mode` has no effect, because the server listens on no Unix socket");
        }
        let has_chosen_handshake = self.times.handshake != ConnectionTimes::default().handshake;
        if has_chosen_handshake && !listeners.iter().any(Listener::is_secure) {
            warnings
                .push("`handshake_timeout` has no effect, because the server listens without TLS");
        }
        warnings
    }

    /// Rejects numbers with which the server could not serve anyone.
    pub(super) fn check_numbers(&self) -> io::Result<()> {
        if self.workers == Some(0) {
            return Err(invalid_input(
                "`Server::workers(0)`: a server needs at least one worker",
            ));
        }
        if self.connections == Some(0) {
            return Err(invalid_input(
                "`Server::connections(0)`: a worker needs at least one connection",
            ));
        }
        if self.blocking_threads == Some(0) {
            return Err(invalid_input(
                "`Server::blocking_threads(0)`: a worker needs at least one thread for blocking procedures",
            ));
        }
        #[cfg(unix)]
        if let Some(mode) = self.socket_mode
            && (mode & !0o777 != 0 || mode & 0o222 == 0)
        {
            return Err(invalid_input(
                "`Server::socket_mode` is made of the nine permissions, and one of them is write permission, \
                 without which nothing can connect: write it in octal, such as 0o660",
            ));
        }
        Ok(())
    }
}

fn invalid_input(mistake: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, mistake)
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;

    use docent_core::{Cx, Fault, Procedure, Service};

    use super::*;

    /// Methods without a value, or all of whose values have an effect.
    const ALWAYS_EFFECTIVE: [&str; 11] = [
        "bind",
        "bind_tls",
        "bind_unix",
        "configure",
        "handle",
        "head_timeout",
        "keep_alive",
        "listen",
        "new",
        "shutdown_deadline",
        "shutdown_notice",
    ];

    fn server() -> Server {
        let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        let builder = Service::builder("greeter", "urn:example:greeter");
        Server::new(builder.procedure(hello).build().expect("a service"))
    }

    /// Returns methods, servers for which they are called with a useless value, and words of the answer.
    fn table() -> [(&'static str, Server, &'static str); 7] {
        let time = Duration::from_secs(1);
        [
            ("workers", server().workers(0), "at least one worker"),
            (
                "connections",
                server().connections(0),
                "at least one connection",
            ),
            (
                "blocking_threads",
                server().blocking_threads(0),
                "at least one thread",
            ),
            (
                "socket_mode",
                server().socket_mode(0),
                "without which nothing can connect",
            ),
            (
                "socket_mode",
                server().socket_mode(660),
                "write it in octal",
            ),
            (
                "socket_mode",
                server().socket_mode(0o600),
                "listens on no Unix socket",
            ),
            (
                "handshake_timeout",
                server().handshake_timeout(time),
                "without TLS",
            ),
        ]
    }

    #[test]
    fn a_value_without_an_effect_is_refused_or_reported() {
        for (method, server, phrase) in table() {
            let mut texts: Vec<String> =
                server.idle_at(&[]).into_iter().map(str::to_owned).collect();
            if let Err(refusal) = server.check_numbers() {
                texts.push(refusal.to_string());
            }
            assert!(
                texts.iter().any(|text| text.contains(phrase)),
                "{method}: {texts:?}"
            );
        }
        assert!(server().check_numbers().is_ok());
        assert!(server().idle_at(&[]).is_empty());
    }

    #[test]
    fn every_method_of_a_server_is_in_the_table() {
        let mut known: BTreeSet<_> = table().iter().map(|(method, ..)| *method).collect();
        known.extend(ALWAYS_EFFECTIVE);
        for method in golden::public_methods("server", "Server") {
            assert!(known.contains(&*method), "{method} needs a row");
        }
    }
}
