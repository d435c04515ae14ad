//! GET at the mount itself: where somebody who knows nothing but the address begins.

use actix_web::http::header::{CACHE_CONTROL, ETag, LINK, LOCATION, VARY};
use actix_web::{HttpRequest, HttpResponse};

use super::coding::Coding;
use super::{Endpoint, accept, cache};

/// The description for programs; for people, the way to the reference site. The links (RFC 8631)
/// are relative to the mount, since what a request says about its host is not to be trusted.
pub(super) fn answer(request: &HttpRequest, endpoint: &Endpoint) -> HttpResponse {
    if let Some(refusal) = super::refusal(&endpoint.service, request) {
        return refusal;
    }
    let mount = request.uri().path();
    let segment = mount.rsplit('/').next().unwrap_or_default();
    let below = if segment.is_empty() {
        String::new()
    } else {
        format!("{segment}/")
    };
    let description =
        format!("<{below}rpc.describe>; rel=\"service-desc\"; type=\"application/json\"");
    let documentation = endpoint.documentation.as_deref();
    let site = documentation.filter(|_| accept::prefers_html(request));
    let tag = Coding::Identity.tag(&endpoint.hash);
    let control = cache::description_control([&endpoint.service]);
    let mut response = match site {
        Some(_) => HttpResponse::SeeOther(),
        None if cache::has(request, &tag) => HttpResponse::NotModified(),
        None => HttpResponse::Ok(),
    };
    response
        .insert_header((CACHE_CONTROL, control))
        .insert_header((VARY, "Accept"))
        .append_header((LINK, description));
    if let Some(site) = documentation {
        let link = format!("<{site}>; rel=\"service-doc\"; type=\"text/html\"");
        response.append_header((LINK, link));
    }
    if let Some(site) = site {
        return response.insert_header((LOCATION, site)).finish();
    }
    response.insert_header(ETag(tag.clone()));
    if cache::has(request, &tag) {
        return response.finish();
    }
    super::as_json(&mut response).body(endpoint.service.rendered_description())
}
