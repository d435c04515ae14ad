//! Finds the part of a server that an address belongs to.
//!
//! A `Server` has few paths, and knows all of them when it is bound. So it needs no actix-web `App`,
//! whose router, extractors and boxed futures would cost 2,800 instructions for each request.

use actix_http::RequestHead;
use bytes::Bytes;
use docent_core::{RequestId, Service};
use docent_http::cache::DESCRIPTION;
use docent_http::pieces::Body;
use docent_http::request::Request;
use docent_http::response::{After, Response};
use docent_http::upload::Upload as _;
use docent_http::{Endpoint, catalog, refusal};
use http::{StatusCode, header};

use super::parts::Parts;
use crate::actix::message::read;
use crate::actix::mount::Mount;
use crate::actix::places::MountPath;
use crate::actix::upload::IncomingBody;
#[cfg(feature = "docs")]
use crate::docs::Docs;
#[cfg(feature = "metrics")]
use crate::metrics::MetricsPage;

/// The services and pages of a worker.
pub(super) struct Routes {
    parts: Parts,
    /// The first that covers an address responds there.
    places: Vec<(MountPath, Route)>,
    /// The text of responses at addresses without a service.
    nowhere: Option<Bytes>,
}

/// Responds at the addresses of a place.
enum Route {
    Health,
    Catalog,
    #[cfg(feature = "metrics")]
    Metrics(MetricsPage),
    #[cfg(feature = "docs")]
    Docs(Docs),
    /// The tools of a service.
    #[cfg(feature = "mcp")]
    Mcp(Endpoint),
    Service(Endpoint),
}

impl Route {
    /// Returns whether it also responds below its place.
    fn is_tree(&self) -> bool {
        match self {
            #[cfg(feature = "docs")]
            Self::Docs(_) => true,
            Self::Service(_) => true,
            _ => false,
        }
    }
}

impl Routes {
    pub(super) fn new(parts: Parts) -> Self {
        let mut places = vec![
            (MountPath::new("/health"), Route::Health),
            (MountPath::new(catalog::PATH), Route::Catalog),
        ];
        #[cfg(feature = "metrics")]
        if let Some(page) = &parts.metrics {
            places.push((MountPath::new("/metrics"), Route::Metrics(page.clone())));
        }
        #[cfg(feature = "docs")]
        if let Some(docs) = &parts.docs {
            places.push((super::parts::site(), Route::Docs(docs.clone())));
        }
        #[cfg(feature = "mcp")]
        for mcp in &parts.mcp {
            places.push((mcp.place.clone(), Route::Mcp(mcp.endpoint.clone())));
        }
        for mount in &parts.mounts {
            places.push((mount.place(), Route::Service(mount.endpoint().clone())));
        }
        Self {
            places,
            nowhere: nowhere(&parts.mounts).map(Bytes::from),
            parts,
        }
    }

    /// Returns the service that was mounted first.
    pub(super) fn first(&self) -> &Service {
        &self.parts.first
    }

    /// Responds to a request.
    pub(super) async fn respond(
        &self,
        head: &RequestHead,
        id: &RequestId,
        mut upload: IncomingBody<'_>,
    ) -> Response {
        let path = head.uri.path();
        let mut places = self.places.iter();
        let found = places.find(|(place, route)| match place.rest_of(path) {
            Some(rest) => rest.is_empty() || route.is_tree(),
            None => false,
        });
        let depth = found.map_or(0, |(place, _)| place.depth());
        let request = read(head, depth, id.clone());
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
                let skipped = upload.skip(&self.parts.options).await;
                if response.after == After::Open {
                    response.after = skipped;
                }
                response
            }
        }
    }

    /// Responds to a request whose body is of no use.
    async fn page(&self, page: Option<&Route>, request: &Request<'_>) -> Response {
        match page {
            Some(Route::Health) => self.parts.health.respond(&request.method).await,
            Some(Route::Catalog) => self.catalog(request).await,
            #[cfg(feature = "metrics")]
            Some(Route::Metrics(metrics)) => metrics.respond(request),
            #[cfg(feature = "docs")]
            Some(Route::Docs(docs)) => crate::actix::pages::page(docs, request).await,
            _ => self.elsewhere(request),
        }
    }

    /// Responds with the list of all services.
    async fn catalog(&self, request: &Request<'_>) -> Response {
        let mounts = self.parts.mounts.iter();
        let mounts: Vec<_> = mounts
            .map(|mount| (mount.path(), mount.endpoint()))
            .collect();
        catalog::respond(request, &mounts).await
    }

    /// Responds to a request for an address without a service, and names the paths of the services.
    /// With a reference site, `/` redirects there.
    fn elsewhere(&self, request: &Request<'_>) -> Response {
        if !self.parts.options.accepts_host(request) {
            return refusal::misdirected();
        }
        #[cfg(feature = "docs")]
        if self.parts.docs.is_some() && request.target.path == "/" && request.is_read() {
            return super::reference::from_root();
        }
        let response = Response::new(StatusCode::NOT_FOUND);
        match &self.nowhere {
            Some(text) => response
                .content("text/plain; charset=utf-8", Body::Whole(text.clone()))
                .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            None => response,
        }
    }
}

/// Returns a text with the paths of the services. A service with a guard in front of its description
/// is not mentioned.
fn nowhere(mounts: &[Mount]) -> Option<String> {
    let is_open = |mount: &&Mount| !mount.endpoint().service.is_guarded(DESCRIPTION);
    let paths: Vec<&str> = mounts.iter().filter(is_open).map(Mount::path).collect();
    let (last, others) = paths.split_last()?;
    let services = if others.is_empty() {
        format!("the service of this server is at {last}")
    } else {
        format!(
            "the services of this server are at {} and {last}",
            others.join(", ")
        )
    };
    Some(format!("There is no service at this address: {services}\n"))
}
