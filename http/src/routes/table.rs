//! The table of addresses, and the response to each.
//!
//! There are few addresses, and all are known when the table is built, so it is a list that is searched in
//! order.

use std::io;

use http::{StatusCode, header};

use super::mount_path::MountPath;
use super::mounted::MountedService;
use super::settings::Routes;
#[cfg(feature = "docs")]
use super::site;
use crate::cache::DESCRIPTION_PROCEDURE;
#[cfg(feature = "docs")]
use crate::docs::Docs;
use crate::endpoint::Endpoint;
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;
use crate::page::HttpPage as _;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::{ConnectionState, Response};
use crate::upload::Upload;
use crate::{catalog, cors, front_door, request_error, upload};

/// The address at which people look for the site. It redirects there.
const ROOT: &str = "/";

/// The address at which agents look for `llms.txt`.
const LLMS_PATH: &str = "/llms.txt";

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// Everything that a host serves, by its address. See [`Routes`].
#[derive(Debug)]
pub struct RouteTable {
    /// The first that covers an address responds there.
    by_path: Vec<(MountPath, Route)>,
    /// The service that was added first.
    first: Endpoint,
    services: Vec<MountedService>,
    /// The path that the host takes off, if it is known.
    prefix: String,
    health: Health,
    has_docs: bool,
}

/// Responds at a path.
#[derive(Debug)]
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

impl RouteTable {
    /// Checks the settings, and builds the table of all addresses.
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a service, because its path is taken, invalid, or the address of
    /// a procedure, or if a setting for hosts, origins or tools is invalid. `Other` if the site has problems.
    pub fn new(routes: &Routes) -> io::Result<Self> {
        routes.log_warnings();
        routes.check_paths()?;
        let mut by_path = vec![
            (MountPath::new("/health"), Route::Health),
            (MountPath::new(catalog::PATH), Route::Catalog),
        ];
        #[cfg(feature = "metrics")]
        if let Some(metrics) = &routes.metrics
            && routes.serves_metrics
        {
            let route = Route::Metrics(metrics.clone());
            by_path.push((MountPath::new("/metrics"), route));
        }
        #[cfg_attr(not(feature = "docs"), expect(unused_mut, reason = "no pages"))]
        let mut services = routes.described_services();
        #[cfg_attr(not(feature = "docs"), expect(unused_mut, reason = "no pages"))]
        let mut folders: Vec<String> = Vec::new();
        #[cfg(feature = "docs")]
        if routes.has_docs {
            let docs = routes.build_site(&mut services)?;
            folders = docs.folders().collect();
            by_path.push((super::paths::site(), Route::Docs(docs)));
        }
        if services.len() == 1 {
            by_path.push((MountPath::new(front_door::OPENAPI_PATH), Route::OpenApi));
        }
        let health = routes.health.renewed();
        let mut mounted = Vec::with_capacity(services.len());
        for (index, (path, service)) in services.iter().enumerate() {
            let mut service = routes.mounted(path, service, &health);
            #[cfg(feature = "docs")]
            if routes.has_docs {
                service.endpoint.documentation = Some(site::link(path).into());
            }
            service.endpoint.links = routes.links(index, folders.get(index)).into();
            mounted.push(service);
        }
        #[cfg(feature = "mcp")]
        for (path, service) in routes.agents() {
            by_path.push((path, Route::Mcp(mounted[service].endpoint.clone())));
        }
        // `Routes` are created with a service, so there is at least one.
        let first = mounted[0].endpoint.clone();
        mounted.sort_by_key(MountedService::order);
        for MountedService { path, endpoint } in &mounted {
            by_path.push((MountPath::new(path), Route::Service(endpoint.clone())));
        }
        Ok(Self {
            by_path,
            first,
            services: mounted,
            prefix: routes.prefix.clone(),
            health,
            has_docs: routes.has_docs,
        })
    }

    /// Returns the services, in the order in which requests look for them.
    pub fn services(&self) -> &[MountedService] {
        &self.services
    }

    /// Returns the service that was added first. Its options apply to all services, and requests that belong to
    /// no service are reported to its observers.
    pub fn first(&self) -> &Endpoint {
        &self.first
    }

    /// Returns the health of the host. Use it to report that the host is shutting down.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Returns whether no exchange is in progress and no call is running, even one whose caller has gone.
    pub fn is_idle(&self) -> bool {
        self.services
            .iter()
            .all(|service| service.endpoint.is_idle())
    }

    /// Returns whether a raw path is an address of this table. To any other, [`respond`](Self::respond) answers
    /// with the paths of the services, or redirects to the site.
    pub fn covers(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// Returns the paths, and whether addresses below them belong to them, in the order in which they are
    /// searched. The last are the root of the server and `llms.txt`, if there is a site.
    pub fn paths(&self) -> impl Iterator<Item = (String, bool)> {
        let leading_to_docs: &[&str] = if self.has_docs {
            &[ROOT, LLMS_PATH]
        } else {
            &[]
        };
        self.by_path
            .iter()
            .map(|(path, route)| (path.to_string(), route.is_tree()))
            .chain(
                leading_to_docs
                    .iter()
                    .map(|path| ((*path).to_owned(), false)),
            )
    }

    fn find(&self, path: &str) -> Option<&(MountPath, Route)> {
        self.by_path
            .iter()
            .find(|(covered, route)| match covered.rest_of(path) {
                Some(rest) => rest.is_empty() || route.is_tree(),
                None => false,
            })
    }

    /// Responds to a request for any address, and finds the mount that it is for.
    pub async fn respond(&self, mut request: Request<'_>, upload: &mut impl Upload) -> Response {
        let found = self.find(request.target.path);
        request.target.mount = found.map_or(0, |(covered, _)| covered.depth());
        if !request.target.has_plain_prefix() {
            request.target.prefix = &self.prefix;
        }
        match found {
            Some((_, Route::Service(endpoint))) => endpoint.respond(request, upload).await,
            // Boxed, so that calls do not carry it.
            #[cfg(feature = "mcp")]
            Some((_, Route::Mcp(endpoint))) => {
                Box::pin(endpoint.respond_mcp(request, upload)).await
            }
            page => {
                let page = page.map(|(_, page)| page);
                let mut response = Box::pin(self.page(page, &request)).await;
                let skipped = upload::skip(upload, &self.first.options).await;
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
            #[cfg(feature = "metrics")]
            Some(Route::Metrics(metrics)) => metrics.serve(request, &self.first.options),
            page => self.document(page, request).await,
        }
    }

    /// Responds to a request for a document about the services. Pages of listed origins, such as viewers of OpenAPI, may
    /// read it, because they may call `rpc.describe`, which says the same.
    async fn document(&self, document: Option<&Route>, request: &Request<'_>) -> Response {
        let page = cors::RequestingPage::new(request, &self.first);
        let mut response = match page.preflight_for_document(request) {
            Some(preflight) if request.is_for_served_host(&self.first.options) => preflight,
            _ => match document {
                Some(Route::Catalog) => catalog::respond(request, &self.services).await,
                Some(Route::OpenApi) => front_door::openapi(request, &self.first).await,
                #[cfg(feature = "docs")]
                Some(Route::Docs(docs)) => docs.respond(request).await,
                #[cfg(feature = "docs")]
                None if request.target.path == LLMS_PATH => match self.docs() {
                    Some(docs) => docs.root_list(request).await,
                    None => self.not_found(request),
                },
                _ => self.not_found(request),
            },
        };
        page.open(&mut response);
        response
    }

    /// Returns the reference site, if there is one.
    #[cfg(feature = "docs")]
    fn docs(&self) -> Option<&Docs> {
        self.by_path.iter().find_map(|(_, route)| match route {
            Route::Docs(docs) => Some(docs),
            _ => None,
        })
    }

    /// Responds to a request for an address without a service, and names the paths of the services.
    /// With a reference site, `/` redirects there.
    fn not_found(&self, request: &Request<'_>) -> Response {
        if !request.is_for_served_host(&self.first.options) {
            return request_error::misdirected();
        }
        if self.has_docs && request.is_read() && request.target.path == ROOT {
            let target = request.target.at_root("docs/");
            return Response::new(StatusCode::SEE_OTHER)
                .content(PLAIN_TEXT, Body::Whole(format!("See {target}\n").into()))
                .with(header::LOCATION, target)
                .with(header::LINK, catalog::link_from(request));
        }
        let response =
            Response::new(StatusCode::NOT_FOUND).with(header::LINK, catalog::link_from(request));
        match text_for_unknown_address(&self.services, request.target.prefix) {
            Some(text) => response
                .content(PLAIN_TEXT, Body::Whole(text.into()))
                .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            None => response,
        }
    }
}

/// Returns a text with the paths of the services below a prefix. A service with a guard in front of its description
/// is not mentioned.
fn text_for_unknown_address(services: &[MountedService], prefix: &str) -> Option<String> {
    let paths: Vec<String> = services
        .iter()
        .filter(|mounted| !mounted.endpoint.service.is_guarded(DESCRIPTION_PROCEDURE))
        .map(|mounted| format!("{prefix}{}", MountPath::new(&mounted.path)))
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
         GET {last}/rpc.describe describes it, and {prefix}{} lists all descriptions\n",
        catalog::PATH
    ))
}
