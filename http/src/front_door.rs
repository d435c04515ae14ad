//! GET at the mount itself: the starting point for clients that know only the address.
//!
//! Callers find the description without reading documentation: a GET at the address of the calls
//! leads there, and so do the links of error responses.

use http::{StatusCode, header};

use crate::coding::Coding;
use crate::endpoint::Endpoint;
use crate::link::{self, linkable};
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::{accept, cache, request_error};

/// The path of the OpenAPI document of a server with one service, where tools look for it.
pub(crate) const OPENAPI_PATH: &str = "/openapi.json";

/// The maximum number of folders below a mount from which a link leads back.
const MAX_LINK_DEPTH: usize = 16;

/// Returns the description to programs, and redirects browsers to the reference site.
pub(crate) async fn open(request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let service = &endpoint.service;
    if let Some(response) =
        request_error::without_description(service, request, &endpoint.options).await
    {
        return response;
    }
    let site = endpoint
        .documentation
        .as_deref()
        .filter(|_| accept::prefers_html(&request.headers));
    let control = cache::description_control([service]);
    let mut response = Response::new(StatusCode::OK)
        .with(header::CACHE_CONTROL, control)
        .with(
            header::VARY,
            cache::vary("Accept", cache::fields_of_descriptions([service])),
        )
        .with(header::LINK, links(request, endpoint));
    if let Some(site) = site {
        response.status = StatusCode::SEE_OTHER;
        return response.with(header::LOCATION, site.to_owned());
    }
    response.unless_known(
        Coding::Identity.tag(&endpoint.hash),
        &request.headers,
        |response| response.json(service.rendered_description()),
    )
}

/// Responds with the OpenAPI document to callers that may see the description.
pub(crate) async fn openapi(request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let service = &endpoint.service;
    let options = &endpoint.options;
    if let Some(response) = request_error::of_page(request, options) {
        return response;
    }
    if let Some(response) = request_error::without_description(service, request, options).await {
        return response;
    }
    let body = Body::Whole(service.rendered_openapi());
    let known = endpoint.descriptions.get(OPENAPI_PATH, &body);
    let coding = Coding::preferred(&request.headers);
    let compressed = match coding {
        Coding::Identity => None,
        Coding::Gzip => known.gzip(&body).await,
    };
    let fields = cache::fields_of_descriptions([service]);
    Response::new(StatusCode::OK)
        .with(header::VARY, cache::vary("Accept-Encoding", fields))
        .with(header::CACHE_CONTROL, cache::description_control([service]))
        .unless_known(
            coding.tag(&known.hash),
            &request.headers,
            |response| match compressed {
                Some(compressed) => response
                    .json(compressed)
                    .with(header::CONTENT_ENCODING, "gzip"),
                None => response.json(body),
            },
        )
        .for_all()
}

/// Returns the links to the description, to the reference (RFC 8631) and to what else the server has in one
/// field, because not every client reads a second one. They are absolute if the service knows its own URL.
/// Otherwise they are relative, because a request's host cannot be trusted.
fn links(request: &Request<'_>, endpoint: &Endpoint) -> String {
    let description = endpoint.service.description();
    let address = linkable(description.address.as_deref());
    let segment = request.target.last_segment();
    let mount = address.unwrap_or(segment);
    let slash = if mount.is_empty() { "" } else { "/" };
    let mut links =
        format!("<{mount}{slash}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"");
    let help = linkable(description.help.as_deref());
    if let Some(site) = help.or(endpoint.documentation.as_deref()) {
        links.extend([", <", site, ">; rel=\"service-doc\"; type=\"text/html\""]);
    }
    let depth = request.target.mount;
    let root = match address {
        Some(address) => link::root(address, depth),
        None => "../".repeat(depth.saturating_sub(1)),
    };
    for link in &*endpoint.links {
        links.extend([", ", &link.field(&root)]);
    }
    links
}

/// Adds a link to the description to a response at an address below the mount where nothing is.
pub(crate) fn show_the_way(request: &Request<'_>, response: Response) -> Response {
    let target = &request.target;
    let slashes = target.path.matches('/').count();
    let depth = slashes.saturating_sub(target.mount + 1);
    if depth > MAX_LINK_DEPTH {
        return response;
    }
    let up = "../".repeat(depth);
    let link = format!("<{up}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"");
    response.with(header::LINK, link)
}
