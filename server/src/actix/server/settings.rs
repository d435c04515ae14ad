//! The settings of a server.
//!
//! They are collected without effect until the server binds. Limits of calls are those of each service.

use std::io;
use std::time::Duration;

use actix_web::web::ServiceConfig;
use docent_core::Service;
#[cfg(feature = "metrics")]
use docent_http::Metrics;
#[cfg(feature = "docs")]
use docent_http::docs_gen::SiteBuilder;
use docent_http::{HttpOptions, Routes};

use super::handle::ServerHandle;
use super::listener::Listener;
use super::own_routes::RouteFunctions;

/// An HTTP server for services, with `/health` and the reference site at `/docs`.
///
/// On SIGTERM or SIGINT, it shuts down gracefully: `/health` returns 503, new calls are rejected (after a
/// [notice](Self::shutdown_notice), if you set one), and running calls finish within a
/// [deadline](Self::shutdown_deadline). A second signal ends the process immediately.
///
/// ```
/// use std::time::Duration;
///
/// use docent::{Cx, Fault, Procedure, Server, Service};
///
/// # #[docent::main]
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
    pub(super) routes: Routes,
    pub(super) workers: Option<usize>,
    pub(super) connections: Option<usize>,
    pub(super) blocking_threads: Option<usize>,
    pub(super) notice: Duration,
    pub(super) shutdown: Duration,
    #[cfg(unix)]
    pub(super) socket_mode: Option<u32>,
    pub(super) handle: ServerHandle,
    /// The functions that register the user's own routes.
    pub(super) own_routes: RouteFunctions,
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
            routes: Routes::at(path, service),
            workers: None,
            connections: None,
            blocking_threads: None,
            notice: Duration::ZERO,
            shutdown: Duration::from_secs(30),
            #[cfg(unix)]
            socket_mode: None,
            handle: ServerHandle::new(),
            own_routes: RouteFunctions::default(),
        }
    }

    /// Mounts another service, or another version of one.
    pub fn mount(mut self, path: impl Into<String>, service: Service) -> Self {
        self.routes = self.routes.mount(path, service);
        self
    }

    /// Changes the HTTP options.
    pub fn options(mut self, change: impl FnOnce(&mut HttpOptions)) -> Self {
        self.routes = self.routes.options(change);
        self
    }

    /// Lets web pages of these origins, such as `https://example.com`, call the services and read the answers
    /// (CORS). Calls by pages of other origins get 403 and do not run. See
    /// [`cors_origins`](HttpOptions::cors_origins).
    pub fn cors(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.routes = self.routes.cors(origins);
        self
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

    /// Disables the reference site.
    pub fn without_docs(mut self) -> Self {
        self.routes = self.routes.without_docs();
        self
    }

    /// Changes the reference site: its title, logo, colours, guide pages, and the other options of
    /// [`DocsBuilder`](crate::DocsBuilder).
    ///
    /// ```
    /// # use docent::{Server, Service};
    /// # fn server(service: Service) -> Server {
    /// Server::new(service).docs(|site| {
    ///     site.title("Greetings").guide("begin.md", "# Begin\n\nSay hello first.")
    /// })
    /// # }
    /// ```
    #[cfg(feature = "docs")]
    pub fn docs(
        mut self,
        change: impl Fn(SiteBuilder) -> SiteBuilder + Send + Sync + 'static,
    ) -> Self {
        self.routes = self.routes.docs(change);
        self
    }

    /// Offers the tools of the service at `mount` to agents at `path` instead of `/mcp`. If several services
    /// have tools, give each of them a path.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Server, Service};
    /// # fn service(version: &str) -> Result<Service, docent::BuildError> {
    /// #     Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534611").version(version)
    /// #         .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    /// #         .build()
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::at("/rpc/v1", service("1.0")?)
    ///     .mount("/rpc/v2", service("2.0")?)
    ///     .mcp_at("/mcp/v1", "/rpc/v1")
    ///     .mcp_at("/mcp/v2", "/rpc/v2")
    ///     .bind("127.0.0.1:0")?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "mcp")]
    pub fn mcp_at(mut self, path: impl Into<String>, mount: impl Into<String>) -> Self {
        self.routes = self.routes.mcp_at(path, mount);
        self
    }

    /// Offers no tools over HTTP.
    #[cfg(feature = "mcp")]
    pub fn without_mcp(mut self) -> Self {
        self.routes = self.routes.without_mcp();
        self
    }

    /// Collects metrics and serves them at `/metrics` for Prometheus.
    ///
    /// Anyone who can reach the service can read them. To serve them at a separate address, use
    /// [`count_in`](Self::count_in).
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self) -> Self {
        self.routes = self.routes.metrics();
        self
    }

    /// Collects metrics without serving them. Serve them at another address with
    /// [`AppPage`](crate::AppPage), or as [text](Metrics::text).
    ///
    /// ```
    /// # use docent::{Metrics, Server, Service};
    /// # fn server(service: Service) -> (Server, Metrics) {
    /// let metrics = Metrics::new();
    /// let server = Server::new(service).count_in(&metrics);
    /// # (server, metrics)
    /// # }
    /// ```
    #[cfg(feature = "metrics")]
    pub fn count_in(mut self, metrics: &Metrics) -> Self {
        self.routes = self.routes.count_in(metrics);
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

    /// Sets a check that the service can do its work, for example that it can reach its database.
    /// `/health` returns 503 while the check fails or takes longer than 1 s; calls are still accepted. See
    /// [`Health::ready`](crate::Health::ready).
    ///
    /// ```
    /// # use docent::{Server, Service};
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
        self.routes = self.routes.ready(check);
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
    pub(super) fn idle_at(&self, listeners: &[Listener]) -> impl Iterator<Item = &'static str> {
        let handshake = self.routes.http_options().handshake_timeout;
        let is_chosen = handshake != HttpOptions::default().handshake_timeout;
        let settings = [
            #[cfg(unix)]
            (
                self.socket_mode.is_some()
                    && listeners.iter().all(|listener| listener.file().is_none()),
                "`socket_mode` has no effect, because the server listens on no Unix socket",
            ),
            (
                is_chosen && !listeners.iter().any(Listener::is_secure),
                "`handshake_timeout` has no effect, because the server listens without TLS",
            ),
        ];
        let idle = settings.into_iter().filter(|(is_idle, _)| *is_idle);
        idle.map(|(_, text)| text)
    }

    /// Rejects numbers with which the server could not serve anyone.
    pub(super) fn check_numbers(&self) -> io::Result<()> {
        let mistakes = [
            (
                self.workers == Some(0),
                "`Server::workers(0)`: a server needs at least one worker",
            ),
            (
                self.connections == Some(0),
                "`Server::connections(0)`: a worker needs at least one connection",
            ),
            (
                self.blocking_threads == Some(0),
                "`Server::blocking_threads(0)`: a worker needs at least one thread for blocking procedures",
            ),
            #[cfg(unix)]
            (
                self.socket_mode
                    .is_some_and(|mode| mode & !0o777 != 0 || mode & 0o222 == 0),
                "`Server::socket_mode` is made of the nine permissions, and one of them is write permission, \
                 without which nothing can connect: write it in octal, such as 0o660",
            ),
        ];
        match mistakes.iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, mistake)) => Err(io::Error::new(io::ErrorKind::InvalidInput, *mistake)),
            None => Ok(()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;

    use docent_core::{Cx, Fault, Procedure};

    use super::*;

    /// Methods of `Routes`, which has a table of its own.
    const OF_ROUTES: [&str; 11] = [
        "at",
        "cors",
        "count_in",
        "docs",
        "mcp_at",
        "metrics",
        "mount",
        "options",
        "ready",
        "without_docs",
        "without_mcp",
    ];

    /// Methods without a value, or all of whose values have an effect.
    const ALWAYS_EFFECTIVE: [&str; 9] = [
        "bind",
        "bind_tls",
        "bind_unix",
        "configure",
        "handle",
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
                "options",
                server().options(|options| options.handshake_timeout = time),
                "without TLS",
            ),
        ]
    }

    #[test]
    fn a_value_without_an_effect_is_refused_or_told() {
        for (method, server, words) in table() {
            let refusal = server.check_numbers().err().map(|error| error.to_string());
            let told: Vec<_> = server
                .idle_at(&[])
                .map(str::to_owned)
                .chain(refusal)
                .collect();
            assert!(
                told.iter().any(|told| told.contains(words)),
                "{method}: {told:?}"
            );
        }
        assert!(server().check_numbers().is_ok());
        assert_eq!(server().idle_at(&[]).count(), 0);
    }

    #[test]
    fn every_method_of_a_server_is_in_a_table() {
        let mut known: BTreeSet<_> = table().iter().map(|(method, ..)| *method).collect();
        known.extend(OF_ROUTES);
        known.extend(ALWAYS_EFFECTIVE);
        for method in golden::public_methods("server", "Server") {
            assert!(known.contains(&*method), "{method} needs a row");
        }
    }
}
