//! GET at the mount itself: the starting point for clients that know only the address.

use http::{StatusCode, header};

use crate::coding::Coding;
use crate::endpoint::Endpoint;
use crate::request::Request;
use crate::response::Response;
use crate::{accept, cache, refusal};

/// Returns the description to programs, and redirects browsers to the reference site.
pub(crate) async fn open(request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let Endpoint {
        service, options, ..
    } = endpoint;
    if let Some(refusal) = refusal::without_description(service, request, options).await {
        return refusal;
    }
    let documentation = endpoint.documentation.as_deref();
    let site = documentation.filter(|_| accept::prefers_html(&request.headers));
    let control = cache::description_control([&endpoint.service]);
    let fields = cache::fields_of_descriptions([&endpoint.service]);
    let headed = |status| {
        Response::new(status)
            .with(header::CACHE_CONTROL, control)
            .with(header::VARY, cache::vary("Accept", fields))
            .with(header::LINK, links(request, endpoint))
    };
    if let Some(site) = site {
        return headed(StatusCode::SEE_OTHER).with(header::LOCATION, site.to_owned());
    }
    let tag = Coding::Identity.tag(&endpoint.hash);
    if tag.is_known(&request.headers) {
        return headed(StatusCode::NOT_MODIFIED).with(header::ETAG, tag);
    }
    headed(StatusCode::OK)
        .with(header::ETAG, tag)
        .json(endpoint.service.rendered_description())
}

/// Returns the links to the description and to the reference in one field, because not every client
/// reads a second one.
fn links(request: &Request<'_>, endpoint: &Endpoint) -> String {
    let description = to_description(request, endpoint);
    match to_documentation(endpoint) {
        Some(documentation) => format!("{description}, {documentation}"),
        None => description,
    }
}

/// Returns the link to the description (RFC 8631). It is absolute if the service knows its own URL.
/// Otherwise it is relative, because a request's host cannot be trusted.
fn to_description(request: &Request<'_>, endpoint: &Endpoint) -> String {
    let address = endpoint.service.description().address.as_deref();
    let segment = request.target.last_segment();
    let mount = address.filter(|it| can_be_linked(it)).unwrap_or(segment);
    let slash = if mount.is_empty() { "" } else { "/" };
    format!("<{mount}{slash}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"")
}

/// Returns the link to the reference site, if there is one.
fn to_documentation(endpoint: &Endpoint) -> Option<String> {
    let help = endpoint.service.description().help.as_deref();
    let help = help.filter(|it| can_be_linked(it));
    let site = help.or(endpoint.documentation.as_deref())?;
    Some(format!("<{site}>; rel=\"service-doc\"; type=\"text/html\""))
}

/// Returns whether an address can appear unchanged in a header field.
pub(crate) fn can_be_linked(address: &str) -> bool {
    let mut bytes = address.bytes();
    bytes.all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'"'))
}
