//! The list of a server's services at `/.well-known/api-catalog` (RFC 9727), a link set (RFC 9264).
//!
//! Clients that know only a host find its services here: those whose description they may see. A
//! host that a request names is not trusted, so links are relative unless a service knows its URL.

use docent_core::Service;
use http::{StatusCode, header};
use serde_json::{Value, json};

use crate::cache::{self, Hash};
use crate::coding::Coding;
use crate::endpoint::Endpoint;
use crate::link::{Link, LinkTarget};
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::routes::mounted::MountedService;
use crate::{link, request_error};

/// The path of the catalogue.
pub(crate) const PATH: &str = "/.well-known/api-catalog";

const MEDIA_TYPE: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

/// Returns the link from any address of a server to its catalogue.
pub(crate) fn link_from(request: &Request<'_>) -> String {
    format!("<{}{PATH}>; rel=\"api-catalog\"", request.target.prefix)
}

/// Responds with the catalogue of these services. Services whose description the caller may
/// not see are left out.
pub(crate) async fn respond(request: &Request<'_>, services: &[MountedService]) -> Response {
    if let Some(first) = services.first()
        && let Some(response) = request_error::of_page(request, &first.endpoint.options)
    {
        return response;
    }
    let mut linkset = Vec::with_capacity(services.len() + 1);
    let mut items = Vec::with_capacity(services.len());
    for MountedService { path, endpoint } in services {
        let service = &endpoint.service;
        if request_error::without_description(service, request, &endpoint.options)
            .await
            .is_some()
        {
            continue;
        }
        let links = links(path, endpoint);
        let title = &service.description().name;
        items.push(json!({"href": links["anchor"], "title": title}));
        linkset.push(links);
    }
    // The first entry is the catalogue itself, with all services as its items.
    linkset.insert(0, json!({"anchor": "api-catalog", "item": items}));
    let text = json!({ "linkset": linkset }).to_string();
    let tag = Coding::Identity.tag(&Hash::new(text.as_bytes()));
    let fields = cache::fields_of_descriptions(core_services(services));
    let control = cache::description_control(core_services(services));
    Response::new(StatusCode::OK)
        .varying(cache::vary("", fields))
        .with(header::CACHE_CONTROL, control)
        .with(header::LINK, link_from(request))
        .unless_known(tag, &request.headers, |response| {
            response.content(MEDIA_TYPE, Body::Whole(text.into()))
        })
}

fn core_services(services: &[MountedService]) -> impl Iterator<Item = &Service> {
    services.iter().map(|mounted| &mounted.endpoint.service)
}

/// Returns the links of one service (RFC 8631). They are absolute if the service knows its public URL.
/// Otherwise they are relative to the catalogue, as RFC 9264 allows, because a request's host cannot be
/// trusted.
fn links(path: &str, endpoint: &Endpoint) -> Value {
    let description = endpoint.service.description();
    let (anchor, root) = match link::linkable(description.address.as_deref()) {
        Some(address) => {
            let depth = path.matches('/').count();
            (address.to_owned(), link::root(address, depth))
        }
        None => (format!("../{}", path.trim_matches('/')), "../".to_owned()),
    };
    let slash = if anchor.ends_with('/') { "" } else { "/" };
    let href = format!("{anchor}{slash}rpc.describe");
    let mut links = json!({
        "anchor": anchor,
        "service-desc": [{"href": href, "type": "application/json"}],
    });
    let site = endpoint.documentation.as_ref().map(|_| "../docs/");
    if let Some(site) = description.help.as_deref().or(site) {
        links["service-doc"] = json!([{"href": site, "type": "text/html"}]);
    }
    for Link { path, rel, target } in &*endpoint.links {
        let mut link = json!({"href": format!("{root}{path}")});
        if let Some(LinkTarget { media_type, title }) = target {
            link["type"] = json!(media_type);
            link["title"] = json!(title);
        }
        match &mut links[*rel] {
            Value::Array(targets) => targets.push(link),
            // The first link with this relation.
            missing => *missing = json!([link]),
        }
    }
    links
}
