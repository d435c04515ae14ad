//! GET at the mount itself: where somebody who knows nothing but the address begins.

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, LINK, LOCATION, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse};

use super::{Endpoint, accept};

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
    let mut response = match documentation {
        Some(site) if accept::prefers_html(request) => {
            let mut response = HttpResponse::SeeOther();
            response.insert_header((LOCATION, site));
            response
        }
        _ => {
            let mut response = HttpResponse::Ok();
            response
                .insert_header((CONTENT_TYPE, "application/json"))
                .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
            response
        }
    };
    response
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((VARY, "Accept"))
        .append_header((LINK, description));
    if let Some(site) = documentation {
        let link = format!("<{site}>; rel=\"service-doc\"; type=\"text/html\"");
        response.append_header((LINK, link));
    }
    if documentation.is_some() && accept::prefers_html(request) {
        return response.finish();
    }
    response.body(endpoint.service.rendered_description())
}
