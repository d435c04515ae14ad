//! What a server serves.

use std::io;

#[cfg(feature = "docs")]
use actix_web::guard;
use actix_web::web::{self, ServiceConfig};
use docent_core::Service;

use super::Server;
#[cfg(feature = "docs")]
use super::reference;
use crate::health::Health;
use crate::http::empty;
#[cfg(feature = "metrics")]
use crate::metrics::{Metrics, Page};
use crate::mount::Mount;

/// What every worker serves.
#[derive(Clone)]
pub(super) struct Parts {
    mounts: Vec<Mount>,
    health: Health,
    #[cfg(feature = "docs")]
    docs: Option<crate::docs::Docs>,
    #[cfg(feature = "metrics")]
    metrics: Option<Page>,
}

/// Where calls are counted, and whether the counts are served beside them.
#[cfg(feature = "metrics")]
#[derive(Debug, Clone, Default)]
pub(super) struct Counting {
    pub(super) metrics: Option<Metrics>,
    pub(super) served: bool,
}

impl Server {
    /// What this server is made of.
    #[cfg_attr(
        not(feature = "docs"),
        expect(
            clippy::unnecessary_wraps,
            unused_mut,
            reason = "only a reference can fail, and changes descriptions"
        )
    )]
    pub(super) fn into_parts(mut self) -> io::Result<Parts> {
        for (path, service) in &self.services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        #[cfg(feature = "docs")]
        let docs = if self.docs {
            let docs = reference::of(&mut self.services)?;
            Some(docs.options(self.options.clone()))
        } else {
            None
        };
        let health = Health::new();
        let services = self.services.iter();
        let mounts = services.map(|(path, service)| self.put(path, service).health(&health));
        Ok(Parts {
            mounts: mounts.collect(),
            health,
            #[cfg(feature = "docs")]
            docs,
            #[cfg(feature = "metrics")]
            metrics: self.counting.page(&self.options),
        })
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

#[cfg(feature = "metrics")]
impl Counting {
    fn page(&self, options: &crate::HttpOptions) -> Option<Page> {
        let metrics = self.metrics.clone().filter(|_| self.served)?;
        Some(Page::new(metrics, options.clone().into()))
    }
}

impl Parts {
    pub(super) fn health(&self) -> &Health {
        &self.health
    }

    pub(super) fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    pub(super) fn register(self, config: &mut ServiceConfig) {
        config.service(self.health);
        #[cfg(feature = "metrics")]
        if let Some(metrics) = self.metrics {
            config.service(metrics);
        }
        #[cfg(feature = "docs")]
        let has_docs = self.docs.is_some();
        #[cfg(feature = "docs")]
        if let Some(docs) = self.docs {
            config.service(docs);
        }
        for mount in self.mounts {
            config.service(mount);
        }
        config.default_service(web::to(empty::nowhere));
        // Whoever knows only the host gets to the reference, unless a service is mounted there.
        #[cfg(feature = "docs")]
        if has_docs {
            let readers = guard::Any(guard::Get()).or(guard::Head());
            config.service(web::resource("/").guard(readers).to(reference::from_root));
        }
    }
}
