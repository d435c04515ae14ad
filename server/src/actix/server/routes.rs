//! Finds the part of a server that an address belongs to.
//!
//! A `Server` has few paths, and knows all of them when it is bound. So it needs no actix-web `App`,
//! whose router, extractors and boxed futures would cost 2,800 instructions for each request.

use actix_http::{Payload, RequestHead, Response as HttpResponse};
use bytes::Bytes;
use docent_core::RequestId;

use super::parts::Parts;
use crate::actix::body::Outgoing;
use crate::actix::message::{self, read, request_id, send};
use crate::actix::mount::Mount;
#[cfg(feature = "docs")]
use crate::actix::pages::page;
use crate::actix::places::Place;
use crate::actix::turn::Turn;
use crate::actix::upload::{Incoming, Rest};
use crate::contract::cache::DESCRIPTION;
use crate::contract::pieces::Body;
use crate::contract::request::Request;
use crate::contract::response::{Field, Response, Status};
use crate::contract::upload::Upload as _;
use crate::contract::{Endpoint, catalog, refusal};

/// The services and pages of a worker, by path.
pub(super) struct Routes {
    parts: Parts,
    health: Place,
    catalog: Place,
    #[cfg(feature = "metrics")]
    metrics: Place,
    #[cfg(feature = "docs")]
    docs: Place,
    mounts: Vec<Place>,
    /// The text of responses at addresses without a service.
    nowhere: Option<Bytes>,
}

impl Routes {
    pub(super) fn new(parts: Parts) -> Self {
        Self {
            health: Place::new("/health"),
            catalog: Place::new(catalog::PATH),
            #[cfg(feature = "metrics")]
            metrics: Place::new("/metrics"),
            #[cfg(feature = "docs")]
            docs: super::parts::site(),
            mounts: parts.mounts.iter().map(Mount::place).collect(),
            nowhere: nowhere(&parts.mounts).map(Bytes::from),
            parts,
        }
    }

    /// Responds to a request. Also returns what to read of its body afterwards.
    pub(super) async fn respond(
        &self,
        head: &RequestHead,
        turn: &Turn,
        payload: Payload,
    ) -> (HttpResponse<Outgoing>, Option<Rest>) {
        let id = request_id(head);
        let mut upload = Incoming::new(head, Some(turn), payload);
        if self.health.is_at(head.uri.path()) {
            // Boxed, so that calls do not carry it.
            let health = Box::pin(self.parts.health.respond(message::method(head)));
            let health = health.await;
            return Box::pin(self.send(head, health, upload, &id)).await;
        }
        if self.catalog.is_at(head.uri.path()) {
            let request = read(head, self.catalog.depth(), id.clone());
            let catalog = Box::pin(self.catalog(&request));
            let catalog = catalog.await;
            return Box::pin(self.send(head, catalog, upload, &id)).await;
        }
        #[cfg(feature = "metrics")]
        if let Some(response) = self.metrics(head, &id) {
            return Box::pin(self.send(head, response, upload, &id)).await;
        }
        #[cfg(feature = "docs")]
        if let Some(docs) = &self.parts.docs
            && self.docs.rest_of(head.uri.path()).is_some()
        {
            // Boxed, so that calls do not carry it.
            let request = read(head, self.docs.depth(), id.clone());
            let page = Box::pin(async move { page(docs, &request).await });
            let page = page.await;
            return Box::pin(self.send(head, page, upload, &id)).await;
        }
        #[cfg(feature = "mcp")]
        if let Some(endpoint) = self.mcp(head.uri.path()) {
            let request = read(head, 0, id.clone());
            // Boxed, so that calls do not carry it.
            let response = Box::pin(endpoint.respond_mcp(request, &mut upload)).await;
            let rest = upload.rest(response.after, &endpoint.options);
            return (send(head, response, &id), rest);
        }
        let Some((endpoint, depth)) = self.endpoint(head.uri.path()) else {
            let elsewhere = self.elsewhere(head, &id);
            return Box::pin(self.send(head, elsewhere, upload, &id)).await;
        };
        let response = endpoint
            .respond(read(head, depth, id.clone()), &mut upload)
            .await;
        let rest = upload.rest(response.after, &endpoint.options);
        (send(head, response, &id), rest)
    }

    /// Sends a response to a request whose body is of no use, and discards that body within its limits.
    async fn send(
        &self,
        head: &RequestHead,
        mut response: Response,
        mut upload: Incoming<'_>,
        id: &RequestId,
    ) -> (HttpResponse<Outgoing>, Option<Rest>) {
        response.after = upload.skip(&self.parts.options).await;
        let rest = upload.rest(response.after, &self.parts.options);
        (send(head, response, id), rest)
    }

    /// Responds with the list of all services.
    async fn catalog(&self, request: &Request<'_>) -> Response {
        let mounts = self.parts.mounts.iter();
        let mounts: Vec<_> = mounts
            .map(|mount| (mount.path(), mount.endpoint()))
            .collect();
        catalog::respond(request, &mounts).await
    }

    /// Responds to requests for the metrics, if the server serves them.
    #[cfg(feature = "metrics")]
    fn metrics(&self, head: &RequestHead, id: &RequestId) -> Option<Response> {
        let metrics = self.parts.metrics.as_ref()?;
        let is_there = self.metrics.is_at(head.uri.path());
        is_there.then(|| metrics.respond(&read(head, self.metrics.depth(), id.clone())))
    }

    /// Returns the service whose tools agents find at this address.
    #[cfg(feature = "mcp")]
    fn mcp(&self, path: &str) -> Option<&Endpoint> {
        let mut found = self.parts.mcp.iter();
        let found = found.find(|it| it.place.is_at(path))?;
        Some(&found.endpoint)
    }

    /// Returns the service at this address or above it, and the depth of its path.
    fn endpoint(&self, path: &str) -> Option<(&Endpoint, usize)> {
        let at = |place: &Place| place.rest_of(path).is_some();
        let found = self.mounts.iter().position(at)?;
        let (mount, place) = (self.parts.mounts.get(found)?, self.mounts.get(found)?);
        Some((mount.endpoint(), place.depth()))
    }

    /// Responds to a request for an address without a service, and names the paths of the services.
    /// With a reference site, `/` redirects there.
    fn elsewhere(&self, head: &RequestHead, id: &RequestId) -> Response {
        let request = read(head, 0, id.clone());
        if !self.parts.options.accepts_host(&request) {
            return refusal::misdirected();
        }
        #[cfg(feature = "docs")]
        if self.parts.docs.is_some() && request.target.path == "/" && request.method.is_read() {
            return super::reference::from_root();
        }
        let response = Response::new(Status::NOT_FOUND);
        match &self.nowhere {
            Some(text) => response
                .content("text/plain; charset=utf-8", Body::Whole(text.clone()))
                .with(Field::XContentTypeOptions, "nosniff"),
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
