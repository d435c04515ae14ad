//! The services and pages of a server.

use std::io;

use docent_core::Service;
use docent_http::catalog;

use super::Server;
#[cfg(feature = "docs")]
use super::reference;
use crate::actix::mount::Mount;
use crate::actix::places::{self, MountPath};
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::{Metrics, MetricsPage};

/// The services and pages that every worker serves.
#[derive(Clone)]
pub(super) struct Parts {
    /// The service that was added first. Its observers are told of refused heads.
    pub(super) first: Service,
    pub(super) mounts: Vec<Mount>,
    #[cfg(feature = "mcp")]
    pub(super) mcp: Vec<super::mcp::McpEndpoint>,
    pub(super) health: Health,
    #[cfg(feature = "docs")]
    pub(super) docs: Option<crate::docs::Docs>,
    pub(super) options: docent_http::HttpOptions,
    #[cfg(feature = "metrics")]
    pub(super) metrics: Option<MetricsPage>,
}

/// The metrics that count calls, and whether they are served at `/metrics`.
#[cfg(feature = "metrics")]
#[derive(Debug, Clone, Default)]
pub(super) struct Counting {
    pub(super) metrics: Option<Metrics>,
    pub(super) served: bool,
}

impl Server {
    /// Assembles the services and pages of this server.
    pub(super) fn assemble(&mut self) -> io::Result<Parts> {
        for (path, service) in &self.services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        self.check_places()?;
        #[cfg(feature = "docs")]
        let docs = if self.docs {
            let docs = reference::of(&mut self.services)?;
            Some(docs.options(self.options.clone()))
        } else {
            None
        };
        let health = self.health.renewed();
        let services = self.services.iter();
        let mounts = services.map(|(path, service)| self.put(path, service).health(&health));
        let mounts: Vec<_> = mounts.collect();
        let first = mounts.first().map(|mount| mount.endpoint().service.clone());
        let first = first.ok_or_else(|| io::Error::other("a server has a service"))?;
        Ok(Parts {
            first,
            #[cfg(feature = "mcp")]
            mcp: self.mcp.endpoints(&mounts)?,
            mounts: Mount::in_order(mounts),
            health,
            #[cfg(feature = "docs")]
            docs,
            options: self.options.clone(),
            #[cfg(feature = "metrics")]
            metrics: self.counting.page(&self.options),
        })
    }

    /// Rejects services that could not be reached or described.
    fn check_places(&self) -> io::Result<()> {
        let services = self.services.iter();
        let mounts = services.map(|(path, service)| (MountPath::new(path), service));
        let mounts: Vec<_> = mounts.collect();
        let taken = self.taken();
        let mut clashes = places::clashes(&mounts, &taken);
        for (place, _) in &mounts {
            if place.has_patterns() {
                clashes.push(format!(
                    "\"{place}\" is a pattern, which has no single address to link to: mount it \
                     in an `App`"
                ));
            }
            clashes.extend(clash(place, &taken));
        }
        #[cfg(feature = "mcp")]
        for place in self.mcp.places(&self.services) {
            clashes.extend(clash(&place, &self.pages()));
        }
        if clashes.is_empty() {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            clashes.join("; "),
        ))
    }

    /// Returns the paths that no service can have.
    fn taken(&self) -> Vec<MountPath> {
        let pages = self.pages();
        #[cfg(feature = "mcp")]
        let pages = [pages, self.mcp.places(&self.services)].concat();
        pages
    }

    /// Returns the paths of the server's own pages.
    fn pages(&self) -> Vec<MountPath> {
        let mut taken = vec![MountPath::new("/health"), MountPath::new(catalog::PATH)];
        #[cfg(feature = "metrics")]
        if self.counting.served {
            taken.push(MountPath::new("/metrics"));
        }
        if self.docs {
            taken.push(site());
        }
        taken
    }

    fn put(&self, path: &str, service: &Service) -> Mount {
        let mount = Mount::new(path, service).options(self.options.clone());
        #[cfg(feature = "docs")]
        let mount = if self.docs {
            mount.documentation(&reference::link(path))
        } else {
            mount
        };
        #[cfg(feature = "metrics")]
        let mount = match &self.counting.metrics {
            Some(metrics) => mount.metrics(metrics),
            None => mount,
        };
        mount
    }
}

/// Returns an error message if a place would cover one of the paths that are taken.
fn clash(place: &MountPath, taken: &[MountPath]) -> Option<String> {
    // The site covers everything below its path; the others are single addresses.
    let is_taken = |own: &&MountPath| {
        place.is_same_as(own) || (own.is_same_as(&site()) && place.is_below(own))
    };
    let own = taken.iter().find(is_taken)?;
    Some(format!(
        "\"{place}\" is taken: the server itself serves \"{own}\""
    ))
}

/// Returns the path of the reference site.
pub(super) fn site() -> MountPath {
    MountPath::new("/docs")
}

#[cfg(feature = "metrics")]
impl Counting {
    fn page(&self, options: &docent_http::HttpOptions) -> Option<MetricsPage> {
        let metrics = self.metrics.clone().filter(|_| self.served)?;
        Some(MetricsPage::new(metrics, options.clone().into()))
    }
}
