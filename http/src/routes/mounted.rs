//! A service at its path, as every host mounts it.
//!
//! Which address leads to it is the business of the table, or of the host's own router.

use std::io;
use std::sync::Arc;

use docent_core::Service;

use super::mount_path::{self, MountPath};
use crate::endpoint::Endpoint;
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::options::HttpOptions;
use crate::runtime::TokioRuntime;

/// A service at a path.
#[derive(Debug, Clone)]
pub struct MountedService {
    /// The path, such as `/rpc`. It is empty for the root.
    pub path: String,
    /// The service and its HTTP settings.
    pub endpoint: Endpoint,
}

impl MountedService {
    /// Mounts `service` at `path`, such as `/rpc`. A trailing slash is ignored; an empty path is
    /// the root. Calls run on tokio.
    pub fn new(path: &str, service: &Service) -> Self {
        Self::nested("", path, service)
    }

    /// Mounts `service` at a path below a prefix that the host takes off.
    pub(super) fn nested(prefix: &str, path: &str, service: &Service) -> Self {
        let at = MountPath::new(&format!("{prefix}{}", MountPath::new(path)));
        // A pattern is no address.
        if at.patterns() == 0 {
            service.set_mount(&at.to_string());
        }
        Self {
            path: path.trim_end_matches('/').to_owned(),
            endpoint: Endpoint::new(&service.with_runtime(Arc::new(TokioRuntime))),
        }
    }

    /// Changes the HTTP options.
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.endpoint.set_options(options);
        self
    }

    /// Links to the reference site, relative to the mount or absolute.
    pub fn documentation(mut self, link: &str) -> Self {
        self.endpoint.documentation = Some(link.into());
        self
    }

    /// Counts the calls, under this path.
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        let endpoint = &mut self.endpoint;
        endpoint.service = metrics.watch(&self.path, &endpoint.service, &endpoint.shed);
        self
    }

    /// Rejects calls once `health` reports that the server is shutting down.
    pub fn health(mut self, health: &Health) -> Self {
        self.endpoint.leaving = health.leaving();
        self
    }

    /// Returns why no request can reach the service at this path, or `None` if one can.
    pub fn fault(&self) -> Option<String> {
        MountPath::new(&self.path).fault()
    }

    /// Returns a sort key: a service comes before any other that would take its requests.
    pub fn order(&self) -> impl Ord + use<> {
        MountPath::new(&self.path).order()
    }

    /// Checks the paths of services together.
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a service: its path is invalid, another service has the same path, or
    /// it is the address of a procedure.
    pub fn check_paths<'m>(services: impl IntoIterator<Item = &'m Self>) -> io::Result<()> {
        let mounts: Vec<_> = services
            .into_iter()
            .map(|mounted| (MountPath::new(&mounted.path), &mounted.endpoint.service))
            .collect();
        mount_path::check_mistakes(&mount_path::mistakes(&mounts, &[]))
    }
}
