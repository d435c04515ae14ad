//! The choice of what a host serves.
//!
//! Every host takes its settings from here, so that each has one name. They are collected without effect until
//! [`RouteTable::new`](crate::RouteTable::new) or [`Mounts::new`](crate::Mounts::new) checks all of them together. What
//! belongs to a listener, such as workers and timeouts for heads, is up to the host.

use std::fmt;
#[cfg(feature = "docs")]
use std::sync::Arc;

use docent_core::Service;
use docent_describe::Carrier;
#[cfg(feature = "docs")]
use docent_docs_gen::SiteBuilder;
use url::Url;

use super::mount_path::MountPath;
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::options::HttpOptions;

/// The services that a host serves, with everything about them: the reference site at `/docs`, tools for agents at
/// `/mcp`, `/openapi.json`, `/llms.txt`, the catalogue at `/.well-known/api-catalog`, and `/health`. The methods change
/// paths and other settings.
///
/// Every host takes them: `Server::new(routes)`, `AppRoutes::new(routes)` and `Mount::new(routes)` for an actix-web
/// `App`, and `docent_tower::RpcService::new(routes)`. It also takes a service alone, as in `Server::new(service)`, and
/// serves it at `/rpc` with the default settings.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Routes, Server, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534614")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let routes = Routes::new(service).options(|options| options.decompress = true);
/// let server = Server::new(routes).workers(1);
/// # let _ = server;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use = "routes do nothing until a host serves them"]
pub struct Routes {
    pub(super) services: Vec<(String, Service)>,
    /// The path that a host takes off.
    pub(super) prefix: String,
    pub(super) options: HttpOptions,
    pub(super) cors_origins: Vec<String>,
    pub(super) health: Health,
    /// Warnings about settings that have no effect.
    pub(super) idle: Vec<&'static str>,
    pub(super) has_docs: bool,
    #[cfg(feature = "websocket")]
    pub(super) has_websocket: bool,
    /// Changes to the site, in their order.
    #[cfg(feature = "docs")]
    pub(super) site_changes: Vec<SiteChange>,
    /// The chosen paths for tools, each with that of its service. `None` offers no tools.
    #[cfg(feature = "mcp")]
    pub(super) mcp: Option<Vec<(String, String)>>,
    #[cfg(feature = "metrics")]
    pub(super) metrics: Option<Metrics>,
    /// True if the metrics are served at `/metrics`.
    #[cfg(feature = "metrics")]
    pub(super) serves_metrics: bool,
}

/// Changes the title, the logo, the pages or anything else of a site.
#[cfg(feature = "docs")]
pub(super) type SiteChange = Arc<dyn Fn(SiteBuilder) -> SiteBuilder + Send + Sync>;

impl Routes {
    /// Serves a service at `/rpc`.
    pub fn new(service: Service) -> Self {
        Self::at("/rpc", service)
    }

    /// Serves a service at another path, such as `/rpc/v2`. Paths of pages, such as `/health` and `/docs`, are
    /// taken.
    pub fn at(path: impl Into<String>, service: Service) -> Self {
        Self {
            services: vec![(path.into(), service)],
            prefix: String::new(),
            options: HttpOptions::default(),
            cors_origins: Vec::new(),
            health: Health::new(),
            idle: Vec::new(),
            has_docs: cfg!(feature = "docs"),
            #[cfg(feature = "websocket")]
            has_websocket: false,
            #[cfg(feature = "docs")]
            site_changes: Vec::new(),
            #[cfg(feature = "mcp")]
            mcp: Some(Vec::new()),
            #[cfg(feature = "metrics")]
            metrics: None,
            #[cfg(feature = "metrics")]
            serves_metrics: false,
        }
    }

    /// Adds another service, or another version of one, at a path of its own.
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # fn routes(library: Service, new_library: Service, museum: Service) -> Routes {
    /// Routes::at("/library/v1", library)
    ///     .mount("/library/v2", new_library)
    ///     .mount("/museum", museum)
    /// # }
    /// ```
    pub fn mount(mut self, path: impl Into<String>, service: Service) -> Self {
        self.services.push((path.into(), service));
        self
    }

    /// Sets the path under which the host nests the routes, if the host removes that path from requests.
    /// OpenAPI documents name it, and so do links if the host does not pass the path on.
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # fn routes(service: Service) -> Routes {
    /// // For `Router::nest_service("/api", …)` of axum, or a scope of actix-web:
    /// Routes::new(service).nested_at("/api")
    /// # }
    /// ```
    pub fn nested_at(mut self, path: impl Into<String>) -> Self {
        let path = MountPath::new(&path.into());
        self.prefix = match path.depth() {
            0 => String::new(),
            _ => path.to_string(),
        };
        if self.prefix.is_empty() {
            self.idle
                .push("`nested_at` names no path, so it has no effect; remove it");
        }
        self
    }

    /// Changes the HTTP options.
    pub fn options(mut self, change: impl FnOnce(&mut HttpOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Lets web pages of these origins, such as `https://example.com`, call the services and read the answers
    /// and the documents about the services, such as `/openapi.json` (CORS), besides the own origin of a service: that of its public URL or, without one, that of the request's
    /// `Host`. Calls by other pages get 403 and do not run. Default: none, and Docent sends no CORS fields.
    pub fn cors(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.cors_origins = origins.into_iter().map(Into::into).collect();
        if self.cors_origins.is_empty() {
            self.idle
                .push("`cors` lists no origin, so it lets no page call; list some, or remove it");
        }
        self
    }

    /// Lets callers connect with WebSockets at the paths of the services, for calls and subscriptions. A web page may if
    /// it has the own origin of a service, or one that [`cors`](Self::cors) lists.
    ///
    /// A `Server` has them, and a host of `docent_tower` that can upgrade connections. An actix-web `App` has none.
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # fn routes(service: Service) -> Routes {
    /// Routes::new(service).websocket()
    /// # }
    /// ```
    #[cfg(feature = "websocket")]
    pub fn websocket(mut self) -> Self {
        self.has_websocket = true;
        self
    }

    /// For hosts that cannot leave a connection to another protocol: takes back [`websocket`](Self::websocket), and warns
    /// that it has no effect.
    #[doc(hidden)]
    #[cfg_attr(
        not(feature = "websocket"),
        expect(unused_mut, reason = "nothing upgrades a connection")
    )]
    pub fn without_upgrades(mut self) -> Self {
        #[cfg(feature = "websocket")]
        if std::mem::take(&mut self.has_websocket) {
            self.idle
                .push("`websocket` has no effect in an `App`; use a `Server` for WebSockets");
        }
        self
    }

    /// Disables the reference site.
    pub fn without_docs(mut self) -> Self {
        self.has_docs = false;
        self
    }

    /// Changes the reference site: its title, logo, colours, guide pages, and all else that a static site can have.
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # fn routes(service: Service) -> Routes {
    /// Routes::new(service).docs(|site| {
    ///     site.title("Greetings").guide("begin.md", "# Begin\n\nSay hello first.")
    /// })
    /// # }
    /// ```
    #[cfg(feature = "docs")]
    pub fn docs(
        mut self,
        change: impl Fn(SiteBuilder) -> SiteBuilder + Send + Sync + 'static,
    ) -> Self {
        self.has_docs = true;
        self.site_changes.push(Arc::new(change));
        self
    }

    /// Collects metrics and serves them at `/metrics` for Prometheus.
    ///
    /// Anyone who can reach the service can read them. To serve them at a separate address, use
    /// [`count_in`](Self::count_in).
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self) -> Self {
        self.note_replaced_metrics();
        self.metrics = Some(Metrics::new());
        self.serves_metrics = true;
        self
    }

    /// Collects metrics without serving them. Serve them at another address with `AppPage`, or as
    /// [text](Metrics::text).
    ///
    /// ```
    /// # use docent::{Metrics, Routes, Service};
    /// # fn routes(service: Service) -> (Routes, Metrics) {
    /// let metrics = Metrics::new();
    /// let routes = Routes::new(service).count_in(&metrics);
    /// # (routes, metrics)
    /// # }
    /// ```
    #[cfg(feature = "metrics")]
    pub fn count_in(mut self, metrics: &Metrics) -> Self {
        self.note_replaced_metrics();
        self.metrics = Some(metrics.clone());
        self.serves_metrics = false;
        self
    }

    /// Notes that the metrics that were chosen before count nothing.
    #[cfg(feature = "metrics")]
    fn note_replaced_metrics(&mut self) {
        if self.metrics.is_some() {
            self.idle.push(
                "of `metrics` and `count_in`, only the last one has an effect; remove the others",
            );
        }
    }

    /// Sets a check that the service can do its work, for example that it can reach its database.
    /// `/health` returns 503 while the check fails or takes longer than 1 s; calls are still accepted. See
    /// [`Health::ready`].
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # async fn ping() -> Result<(), std::io::Error> { Ok(()) }
    /// # fn routes(service: Service) -> Routes {
    /// Routes::new(service).ready(|| async { ping().await })
    /// # }
    /// ```
    pub fn ready<F, E>(mut self, check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display,
    {
        self.health = self.health.ready(check);
        self
    }

    /// Returns the services at their paths. Their descriptions name the carriers, if there are more than HTTP.
    pub(super) fn described_services(&self) -> Vec<(String, Service)> {
        self.services
            .iter()
            .map(|(path, service)| (path.clone(), self.with_carriers(service)))
            .collect()
    }

    #[cfg_attr(
        not(feature = "websocket"),
        expect(clippy::unused_self, reason = "no setting adds a carrier")
    )]
    fn with_carriers(&self, service: &Service) -> Service {
        let mut carriers = vec![Carrier::new("http")];
        if service.has_subscriptions() {
            carriers.push(Carrier::new("sse"));
        }
        #[cfg(feature = "websocket")]
        if self.has_websocket {
            let mut websocket = Carrier::new("websocket");
            let address = service.description().address.as_deref();
            websocket.address = address.and_then(websocket_address);
            carriers.push(websocket);
        }
        if carriers.len() == 1 {
            return service.clone();
        }
        service.with_carriers(carriers)
    }

    /// Returns the HTTP options with what other settings add: the origins of `cors`, and the hosts of all public
    /// URLs, each of which is a host of every route.
    pub(super) fn effective_options(&self) -> HttpOptions {
        let mut options = self.options.clone();
        options.cors_origins.clone_from(&self.cors_origins);
        options.public_hosts = self
            .services
            .iter()
            .filter_map(|(_, service)| Url::parse(service.description().address.as_deref()?).ok())
            .filter_map(|url| url.host_str().map(str::to_owned))
            .collect();
        options
    }
}

impl From<Service> for Routes {
    fn from(service: Service) -> Self {
        Self::new(service)
    }
}

impl From<&Service> for Routes {
    fn from(service: &Service) -> Self {
        Self::new(service.clone())
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes")
            .field("services", &self.services)
            .finish_non_exhaustive()
    }
}

/// Returns the address of WebSockets to a service with this address over HTTP.
#[cfg(feature = "websocket")]
fn websocket_address(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    match scheme {
        "https" => Some(format!("wss://{rest}")),
        "http" => Some(format!("ws://{rest}")),
        _ => None,
    }
}
