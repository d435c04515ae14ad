//! Finds the part of a server that an address belongs to.
//!
//! A `Server` has few paths, and knows all of them when it is bound. So it needs no actix-web `App`,
//! whose router, extractors and boxed futures would cost 2,800 instructions for each request.

use std::io;

use actix_http::RequestHead;
use bytes::Bytes;
use docent_core::{RequestId, Service};
use docent_http::Body;
use docent_http::Upload as _;
use docent_http::cache::DESCRIPTION_PROCEDURE;
use docent_http::{ConnectionState, Response};
use docent_http::{Endpoint, catalog, front_door, request_error};
use docent_http::{ListenerInfo, Request};
use http::{StatusCode, header};

#[cfg(feature = "docs")]
use super::reference;
use super::settings::Server;
use crate::actix::message::read;
use crate::actix::mount::Mount;
use crate::actix::mount_path::MountPath;
use crate::actix::upload::IncomingBody;
#[cfg(feature = "docs")]
use crate::docs::Docs;
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// The services and pages of a server.
pub(super) struct Routes {
    /// The first that covers an address responds there.
    by_path: Vec<(MountPath, Route)>,
    /// The service that was added first. Its observers are told of invalid heads.
    pub(super) first: Endpoint,
    pub(super) mounts: Vec<Mount>,
    pub(super) health: Health,
    #[cfg(feature = "docs")]
    has_docs: bool,
    /// The text of responses at addresses without a service.
    nowhere: Option<Bytes>,
}

/// Responds at a path.
enum Route {
    Health,
    Catalog,
    /// The OpenAPI document of the only service.
    OpenApi,
    #[cfg(feature = "metrics")]
    Metrics(Metrics),
    #[cfg(feature = "docs")]
    Docs(Docs),
    /// The tools of a service.
    #[cfg(feature = "mcp")]
    Mcp(Endpoint),
    Service(Endpoint),
}

impl Route {
    /// Returns whether it also responds below its path.
    fn is_tree(&self) -> bool {
        match self {
            #[cfg(feature = "docs")]
            Self::Docs(_) => true,
            Self::Service(_) => true,
            _ => false,
        }
    }
}

impl Server {
    /// Assembles the services and pages of this server.
    pub(super) fn assemble(&mut self) -> io::Result<Routes> {
        for (path, service) in &self.services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        self.check_paths()?;
        let mut by_path = vec![
            (MountPath::new("/health"), Route::Health),
            (MountPath::new(catalog::PATH), Route::Catalog),
        ];
        #[cfg(feature = "metrics")]
        if let Some(metrics) = &self.metrics
            && self.serves_metrics
        {
            let route = Route::Metrics(metrics.clone());
            by_path.push((MountPath::new("/metrics"), route));
        }
        #[cfg_attr(not(feature = "docs"), expect(unused_mut, reason = "no pages"))]
        let mut folders: Vec<String> = Vec::new();
        #[cfg(feature = "docs")]
        if self.docs {
            let agents = self.agents();
            let docs =
                reference::build_site(&mut self.services, &agents)?.options(self.options.clone());
            folders = docs.folders().collect();
            by_path.push((super::paths::site(), Route::Docs(docs)));
        }
        if self.services.len() == 1 {
            by_path.push((MountPath::new(front_door::OPENAPI_PATH), Route::OpenApi));
        }
        let health = self.health.renewed();
        let mut added = Vec::with_capacity(self.services.len());
        for (at, (path, service)) in self.services.iter().enumerate() {
            let mut mount = self.configured_mount(path, service).health(&health);
            mount.endpoint.links = self.links(at, folders.get(at)).into();
            added.push(mount);
        }
        #[cfg(feature = "mcp")]
        for (path, at) in self.agents() {
            by_path.push((path, Route::Mcp(added[at].endpoint.clone())));
        }
        // A server has a service from the beginning.
        let first = added[0].endpoint.clone();
        let mounts = Mount::in_order(added);
        for mount in &mounts {
            by_path.push((
                MountPath::new(&mount.path),
                Route::Service(mount.endpoint.clone()),
            ));
        }
        Ok(Routes {
            by_path,
            first,
            nowhere: nowhere(&mounts).map(Bytes::from),
            mounts,
            health,
            #[cfg(feature = "docs")]
            has_docs: self.docs,
        })
    }

    fn configured_mount(&self, path: &str, service: &Service) -> Mount {
        let mount = Mount::new(path, service).options(self.options.clone());
        #[cfg(feature = "docs")]
        let mount = if self.docs {
            mount.documentation(&reference::link(path))
        } else {
            mount
        };
        #[cfg(feature = "metrics")]
        let mount = match &self.metrics {
            Some(metrics) => mount.metrics(metrics),
            None => mount,
        };
        mount
    }
}

impl Routes {
    /// Returns whether a service or a page responds at a raw path.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    fn find(&self, path: &str) -> Option<&(MountPath, Route)> {
        self.by_path.iter().find(|(covered, route)| {
            let rest = covered.rest_of(path);
            rest.is_some_and(|rest| rest.is_empty() || route.is_tree())
        })
    }

    /// Responds to a request.
    pub(super) async fn respond(
        &self,
        head: &RequestHead,
        listener: ListenerInfo,
        id: &RequestId,
        mut upload: IncomingBody<'_>,
    ) -> Response {
        let path = head.uri.path();
        let found = self.find(path);
        let depth = found.map_or(0, |(covered, _)| covered.depth());
        let request = Request {
            listener,
            ..read(head, depth, id.clone())
        };
        match found {
            Some((_, Route::Service(endpoint))) => endpoint.respond(request, &mut upload).await,
            // Boxed, so that calls do not carry it.
            #[cfg(feature = "mcp")]
            Some((_, Route::Mcp(endpoint))) => {
                Box::pin(endpoint.respond_mcp(request, &mut upload)).await
            }
            page => {
                let page = page.map(|(_, page)| page);
                let mut response = Box::pin(self.page(page, &request)).await;
                let skipped = upload.skip(&self.first.options).await;
                if response.after == ConnectionState::Open {
                    response.after = skipped;
                }
                response
            }
        }
    }

    /// Responds to a request whose body is of no use.
    async fn page(&self, page: Option<&Route>, request: &Request<'_>) -> Response {
        match page {
            Some(Route::Health) => self.health.respond(request).await,
            Some(Route::Catalog) => {
                let mounts = self
                    .mounts
                    .iter()
                    .map(|mount| (&*mount.path, &mount.endpoint));
                catalog::respond(request, &mounts.collect::<Vec<_>>()).await
            }
            Some(Route::OpenApi) => front_door::openapi(request, &self.first).await,
            #[cfg(feature = "metrics")]
            Some(Route::Metrics(metrics)) => metrics.respond(request, &self.first.options),
            #[cfg(feature = "docs")]
            Some(Route::Docs(docs)) => docs.respond(request).await,
            _ => self.elsewhere(request),
        }
    }

    /// Responds to a request for an address without a service, and names the paths of the services.
    /// With a reference site, `/` redirects there.
    fn elsewhere(&self, request: &Request<'_>) -> Response {
        if !request.is_for_served_host(&self.first.options) {
            return request_error::misdirected();
        }
        // Agents look for `llms.txt` here. Its links are relative to the site.
        #[cfg(feature = "docs")]
        if self.has_docs && request.is_read() && matches!(request.target.path, "/" | "/llms.txt") {
            let target = format!("docs{}", request.target.path);
            return Response::new(StatusCode::SEE_OTHER)
                .content(PLAIN_TEXT, Body::Whole(format!("See {target}\n").into()))
                .with(header::LOCATION, target)
                .with(header::LINK, catalog::LINK);
        }
        let response = Response::new(StatusCode::NOT_FOUND).with(header::LINK, catalog::LINK);
        match &self.nowhere {
            Some(text) => response
                .content(PLAIN_TEXT, Body::Whole(text.clone()))
                .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            None => response,
        }
    }
}

/// Returns a text with the paths of the services. A service with a guard in front of its description
/// is not mentioned.
fn nowhere(mounts: &[Mount]) -> Option<String> {
    let paths: Vec<&str> = mounts
        .iter()
        .filter(|mount| !mount.endpoint.service.is_guarded(DESCRIPTION_PROCEDURE))
        .map(|mount| &*mount.path)
        .collect();
    let (last, others) = paths.split_last()?;
    let services = if others.is_empty() {
        format!("the service of this server is at {last}")
    } else {
        let others = others.join(", ");
        format!("the services of this server are at {others} and {last}")
    };
    Some(format!(
        "There is no service at this address: {services}\n\
         GET {last}/rpc.describe describes it, and {} lists all descriptions\n",
        catalog::PATH
    ))
}
