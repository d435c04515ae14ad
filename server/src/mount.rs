//! A service in an actix-web `App`.

use std::sync::Arc;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::web;
use docent_core::Service;

use crate::health::Health;
use crate::http::{Endpoint, serve};
use crate::options::HttpOptions;
use crate::runtime::TokioRuntime;

/// A service at a path of an `App`: `App::new().service(Mount::new("/rpc", service))`.
///
/// Several can stand side by side and under any scope. An `App` of your own should be served with
/// `HttpServer::h1_allow_half_closed(false)`: otherwise actix-web does not notice that a caller has
/// hung up, and idempotent calls run on for nobody.
#[derive(Debug, Clone)]
pub struct Mount {
    path: String,
    endpoint: Endpoint,
}

impl Mount {
    /// Puts `service` at `path`, such as `/rpc`. A slash at its end is of no account; an empty path
    /// is the root.
    pub fn new(path: impl Into<String>, service: &Service) -> Self {
        let path = path.into();
        Self {
            path: path.trim_end_matches('/').to_owned(),
            endpoint: Endpoint::new(service.with_runtime(Arc::new(TokioRuntime))),
        }
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
        web::scope(&self.path)
            .app_data(web::Data::new(self.endpoint))
            .default_service(web::to(serve))
            .register(config);
    }
}
