//! A service in an actix-web `App`.

use std::io;
use std::sync::Arc;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::web;
use docent_core::Service;

use super::places::{self, Place};
use crate::contract::{Endpoint, serve};
use crate::health::Health;
use crate::options::HttpOptions;
use crate::runtime::TokioRuntime;

/// A service at a path of an `App`: `App::new().service(Mount::new("/rpc", service))`.
///
/// Several can stand side by side and under any scope; [`Mount::together`] puts them in an order in
/// which each is reached. An `App` of your own should be served with
/// `HttpServer::h1_allow_half_closed(false)`: otherwise actix-web does not notice that a caller has
/// hung up, and idempotent calls run on for nobody.
///
/// ```
/// use actix_web::App;
/// use actix_web::test::{TestRequest, call_and_read_body, init_service};
/// use docent_server::{Cx, Fault, Mount, Procedure, Service};
///
/// # #[actix_web::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534602")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
///     .build()?;
/// let app = init_service(App::new().service(Mount::new("/rpc", &service))).await;
/// let request = TestRequest::get().uri("/rpc/hello").to_request();
/// assert_eq!(
///     call_and_read_body(&app, request).await,
///     r#"{"jsonrpc":"2.0","result":"hello","id":null}"#
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Mount {
    path: String,
    endpoint: Endpoint,
}

impl Mount {
    /// Puts `service` at `path`, such as `/rpc`. A slash at its end is ignored; an empty path is the
    /// root.
    pub fn new(path: impl Into<String>, service: &Service) -> Self {
        let path = path.into();
        Self {
            path: path.trim_end_matches('/').to_owned(),
            endpoint: Endpoint::new(service.with_runtime(Arc::new(TokioRuntime))),
        }
    }

    /// Several mounts for one `App`, or one scope of it, in an order in which each is reached:
    /// `App::new().service(mounts.clone())`.
    ///
    /// actix-web gives a request to the first mount whose path it begins with, so a mount at
    /// `/rpc/v2` has to come before one at `/rpc`. What else the `App` serves is not seen here: a
    /// mount must not be at or below a path that has been registered before it.
    ///
    /// # Errors
    /// `InvalidInput`: some mount can never be reached: its path is one that no request has, another
    /// mount has the same, or it takes the address of a procedure.
    pub fn together(mounts: impl IntoIterator<Item = Self>) -> io::Result<Vec<Self>> {
        let mut mounts: Vec<_> = mounts.into_iter().collect();
        let placed: Vec<_> = mounts.iter().map(Self::placed).collect();
        let clashes = places::clashes(&placed, &[]);
        if !clashes.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                clashes.join("; "),
            ));
        }
        mounts.sort_by_key(|mount| Place::new(&mount.path).order());
        Ok(mounts)
    }

    fn placed(&self) -> (Place, &Service) {
        (Place::new(&self.path), &self.endpoint.service)
    }

    /// Configures the transport.
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.endpoint.set_options(options);
        self
    }

    /// Where people find the reference: a link, relative to the mount or absolute. The front door
    /// leads there.
    pub fn documentation(mut self, link: &str) -> Self {
        self.endpoint.documentation = Some(link.into());
        self
    }

    /// Counts the calls that come this way, under the mount's path.
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self, metrics: &crate::Metrics) -> Self {
        let (service, shed) = metrics.watch(&self.path, &self.endpoint.service);
        self.endpoint.service = service;
        self.endpoint.shed = Some(shed);
        self
    }

    /// Whether nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.endpoint.is_idle()
    }

    /// Refuses calls once `health` says that the server is about to leave.
    pub fn health(mut self, health: &Health) -> Self {
        self.endpoint.health = Some(health.clone());
        self
    }
}

impl HttpServiceFactory for Mount {
    fn register(self, config: &mut AppService) {
        // There is nobody here to be told by an error.
        if let Some(fault) = Place::new(&self.path).fault() {
            tracing::error!("{fault}");
        }
        web::scope(&self.path)
            .app_data(web::Data::new(self.endpoint))
            .default_service(web::to(serve))
            .register(config);
    }
}
