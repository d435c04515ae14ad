//! GET at the mount itself: where somebody who knows nothing but the address begins.

use actix_web::http::header::{CACHE_CONTROL, ETag, LINK, LOCATION, VARY};
use actix_web::{HttpRequest, HttpResponse};

use super::coding::Coding;
use super::{Endpoint, accept, cache};

/// The description for programs; for people, the way to the reference site.
pub(super) fn answer(request: &HttpRequest, endpoint: &Endpoint) -> HttpResponse {
    if let Some(refusal) = super::refusal(&endpoint.service, request) {
        return refusal;
    }
    let documentation = endpoint.documentation.as_deref();
    let site = documentation.filter(|_| accept::prefers_html(request));
    let tag = Coding::Identity.tag(&endpoint.hash);
    let control = cache::description_control([&endpoint.service]);
    let fields = cache::fields_of_descriptions([&endpoint.service]);
    let mut response = match site {
        Some(_) => HttpResponse::SeeOther(),
        None if cache::has(request, &tag) => HttpResponse::NotModified(),
        None => HttpResponse::Ok(),
    };
    response
        .insert_header((CACHE_CONTROL, control))
        .insert_header((VARY, cache::vary("Accept", fields)))
        .insert_header((LINK, links(request, endpoint)));
    if let Some(site) = site {
        return response.insert_header((LOCATION, site)).finish();
    }
    response.insert_header(ETag(tag.clone()));
    if cache::has(request, &tag) {
        return response.finish();
    }
    super::as_json(&mut response).body(endpoint.service.rendered_description())
}

/// The links to the description and to the reference, in one field: not every client looks for a
/// second one.
fn links(request: &HttpRequest, endpoint: &Endpoint) -> String {
    let description = to_description(request, endpoint);
    match to_documentation(endpoint) {
        Some(documentation) => format!("{description}, {documentation}"),
        None => description,
    }
}

/// The link to the description (RFC 8631). It is absolute where the service knows its own address;
/// otherwise it is relative, since what a request says about its host is not to be trusted.
fn to_description(request: &HttpRequest, endpoint: &Endpoint) -> String {
    let address = endpoint.service.description().address.as_deref();
    let segment = request.uri().path().rsplit('/').next().unwrap_or_default();
    let mount = address.filter(|it| can_be_linked(it)).unwrap_or(segment);
    let slash = if mount.is_empty() { "" } else { "/" };
    format!("<{mount}{slash}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"")
}

/// The link to the reference for people, where there is one.
fn to_documentation(endpoint: &Endpoint) -> Option<String> {
    let help = endpoint.service.description().help.as_deref();
    let help = help.filter(|it| can_be_linked(it));
    let site = help.or(endpoint.documentation.as_deref())?;
    Some(format!("<{site}>; rel=\"service-doc\"; type=\"text/html\""))
}

/// Whether an address can stand in a header field as its author wrote it.
fn can_be_linked(address: &str) -> bool {
    let mut bytes = address.bytes();
    bytes.all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'"'))
}
