//! Services at their paths, as every host mounts them.
//!
//! Which address leads to one is the business of the table, or of the host's own router.

use std::io;
use std::sync::Arc;

use docent_core::Service;

use super::mount_path::{self, MountPath};
use super::settings::Routes;
use crate::endpoint::Endpoint;
use crate::health::Health;
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
    /// Returns a sort key: a service comes before any other that would take its requests.
    pub(super) fn order(&self) -> impl Ord + use<> {
        MountPath::new(&self.path).order()
    }
}

impl Routes {
    /// Mounts a service, of which calls are rejected once `health` reports that the host is shutting down.
    pub(super) fn mounted(&self, path: &str, service: &Service, health: &Health) -> MountedService {
        let mount_path = MountPath::new(&format!("{}{}", self.prefix, MountPath::new(path)));
        // A pattern is no address.
        if mount_path.patterns() == 0 {
            service.set_mount(&mount_path.to_string());
        }
        let path = path.trim_end_matches('/').to_owned();
        let mut endpoint = Endpoint::new(&service.with_runtime(Arc::new(TokioRuntime)));
        endpoint.set_options(self.effective_options());
        endpoint.shutdown = health.shutdown().clone();
        #[cfg(feature = "websocket")]
        {
            endpoint.has_websocket = self.has_websocket;
        }
        #[cfg(feature = "metrics")]
        if let Some(metrics) = &self.metrics {
            endpoint.service = metrics.watch(&path, &endpoint.service, &endpoint.shed);
        }
        MountedService { path, endpoint }
    }
}

/// The services of [`Routes`] and their tools without any page, for a host that finds addresses by itself.
#[derive(Debug, Clone)]
pub struct Mounts {
    /// The services, each before any other that would take its requests.
    pub services: Vec<MountedService>,
    /// The services that have tools, at the paths of their tools.
    #[cfg(feature = "mcp")]
    pub tools: Vec<MountedService>,
    /// The health of the host.
    pub health: Health,
}

impl Mounts {
    /// Checks the settings, and mounts the services. Their paths may be patterns of the host.
    ///
    /// # Errors
    /// `InvalidInput`, as for [`RouteTable::new`](crate::RouteTable::new).
    pub fn new(routes: &Routes) -> io::Result<Self> {
        routes.log_warnings();
        for warning in routes.warnings_of_pages() {
            tracing::warn!("{warning}");
        }
        mount_path::check_mistakes(&routes.mistakes(&[]))?;
        let health = routes.health.renewed();
        let described = routes.described_services();
        let mut services: Vec<_> = described
            .iter()
            .map(|(path, service)| routes.mounted(path, service, &health))
            .collect();
        #[cfg(feature = "mcp")]
        let tools = routes
            .agents()
            .into_iter()
            .map(|(path, service)| MountedService {
                path: path.to_string(),
                endpoint: services[service].endpoint.clone(),
            })
            .collect();
        services.sort_by_key(MountedService::order);
        Ok(Self {
            services,
            #[cfg(feature = "mcp")]
            tools,
            health,
        })
    }
}
