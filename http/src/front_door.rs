//! GET at the mount itself: the starting point for clients that know only the address.

use http::{StatusCode, header};

use crate::coding::Coding;
use crate::endpoint::Endpoint;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::{accept, cache, refusal};

/// The path of the OpenAPI document of a server with one service, where tools look for it.
pub const OPENAPI: &str = "/openapi.json";

/// Returns the description to programs, and redirects browsers to the reference site.
pub(crate) async fn open(request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let (service, options) = (&endpoint.service, &endpoint.options);
    if let Some(refusal) = refusal::without_description(service, request, options).await {
        return refusal;
    }
    let documentation = endpoint.documentation.as_deref();
    let site = documentation.filter(|_| accept::prefers_html(&request.headers));
    let control = cache::description_control([service]);
    let fields = cache::fields_of_descriptions([service]);
    let mut response = Response::new(StatusCode::OK)
        .with(header::CACHE_CONTROL, control)
        .with(header::VARY, cache::vary("Accept", fields))
        .with(header::LINK, links(request, endpoint));
    if let Some(site) = site {
        response.status = StatusCode::SEE_OTHER;
        return response.with(header::LOCATION, site.to_owned());
    }
    let tag = Coding::Identity.tag(&endpoint.hash);
    response.unless_known(tag, &request.headers, |response| {
        response.json(service.rendered_description())
    })
}

/// Responds with the OpenAPI document to callers that may see the description.
pub async fn openapi(request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let (service, options) = (&endpoint.service, &endpoint.options);
    if !request.is_for_served_host(options) {
        return refusal::misdirected();
    }
    if !request.is_read() {
        return Response::read_only();
    }
    if let Some(refusal) = refusal::without_description(service, request, options).await {
        return refusal;
    }
    let body = Body::Whole(service.rendered_openapi());
    let known = endpoint.descriptions.get(OPENAPI, &body);
    let tag = Coding::Identity.tag(&known.hash);
    let fields = cache::fields_of_descriptions([service]);
    Response::new(StatusCode::OK)
        .varying(cache::vary("", fields))
        .with(header::CACHE_CONTROL, cache::description_control([service]))
        .unless_known(tag, &request.headers, |response| response.json(body))
        .for_all()
}

/// Returns the links to the description and to the reference (RFC 8631) in one field, because not every
/// client reads a second one. They are absolute if the service knows its own URL. Otherwise they are
/// relative, because a request's host cannot be trusted.
fn links(request: &Request<'_>, endpoint: &Endpoint) -> String {
    let description = endpoint.service.description();
    let address = description.address.as_deref();
    let segment = request.target.last_segment();
    let mount = address.filter(|it| can_be_linked(it)).unwrap_or(segment);
    let slash = if mount.is_empty() { "" } else { "/" };
    let mut links =
        format!("<{mount}{slash}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"");
    let help = description.help.as_deref();
    let help = help.filter(|it| can_be_linked(it));
    if let Some(site) = help.or(endpoint.documentation.as_deref()) {
        links.extend([", <", site, ">; rel=\"service-doc\"; type=\"text/html\""]);
    }
    links
}

/// Returns whether an address can appear unchanged in a header field.
pub(crate) fn can_be_linked(address: &str) -> bool {
    let mut bytes = address.bytes();
    bytes.all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'"'))
}
