//! The list of a server's services at `/.well-known/api-catalog` (RFC 9727), a link set (RFC 9264).

use http::{StatusCode, header};
use serde_json::{Value, json};

use crate::cache::{self, Hash};
use crate::coding::Coding;
use crate::endpoint::Endpoint;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::{front_door, refusal};

/// The path of the catalogue.
pub const PATH: &str = "/.well-known/api-catalog";

const MEDIA_TYPE: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

/// Responds with the catalogue of these services, each with the path of its mount. Services whose
/// description the caller may not see are left out.
pub async fn respond(request: &Request<'_>, mounts: &[(&str, &Endpoint)]) -> Response {
    if let Some((_, first)) = mounts.first()
        && !first.options.accepts_host(request)
    {
        return refusal::misdirected();
    }
    if !request.is_read() {
        return Response::read_only();
    }
    let mut linkset = Vec::with_capacity(mounts.len() + 1);
    let mut items = Vec::with_capacity(mounts.len());
    for (path, endpoint) in mounts {
        if refusal::without_description(&endpoint.service, request, &endpoint.options)
            .await
            .is_some()
        {
            continue;
        }
        let service = Links::of(path, endpoint);
        items.push(json!({"href": service.anchor, "title": endpoint.service.description().name}));
        linkset.push(service.into_json());
    }
    linkset.insert(0, json!({"anchor": "api-catalog", "item": items}));
    let text = json!({ "linkset": linkset }).to_string();
    let services = || mounts.iter().map(|(_, endpoint)| &endpoint.service);
    let tag = Coding::Identity.tag(&Hash::of(text.as_bytes()));
    let fields = cache::fields_of_descriptions(services());
    let vary = cache::vary("", fields);
    let headed = |status| {
        let response = Response::new(status);
        let response = if vary.is_empty() {
            response
        } else {
            response.with(header::VARY, vary)
        };
        response
            .with(
                header::CACHE_CONTROL,
                cache::description_control(services()),
            )
            .with(header::LINK, format!("<{PATH}>; rel=\"api-catalog\""))
    };
    if tag.is_known(&request.headers) {
        return headed(StatusCode::NOT_MODIFIED).with(header::ETAG, tag);
    }
    headed(StatusCode::OK)
        .with(header::ETAG, tag)
        .content(MEDIA_TYPE, Body::Whole(text.into()))
}

/// The links of one service (RFC 8631).
struct Links {
    anchor: String,
    description: String,
    documentation: Option<String>,
}

impl Links {
    /// Creates the links. They are absolute if the service knows its public URL. Otherwise they are
    /// relative to the catalogue, as RFC 9264 allows, because a request's host cannot be trusted.
    fn of(path: &str, endpoint: &Endpoint) -> Self {
        let description = endpoint.service.description();
        let public = description.address.as_deref();
        let public = public.filter(|it| front_door::can_be_linked(it));
        let anchor = match public {
            Some(address) => address.to_owned(),
            None => format!("../{}", path.trim_matches('/')),
        };
        let slash = if anchor.ends_with('/') { "" } else { "/" };
        let site = endpoint
            .documentation
            .is_some()
            .then(|| "../docs/".to_owned());
        Self {
            description: format!("{anchor}{slash}rpc.describe"),
            documentation: description.help.clone().or(site),
            anchor,
        }
    }

    fn into_json(self) -> Value {
        let mut links = json!({
            "anchor": self.anchor,
            "service-desc": [{"href": self.description, "type": "application/json"}],
        });
        if let Some(site) = self.documentation {
            links["service-doc"] = json!([{"href": site, "type": "text/html"}]);
        }
        links
    }
}
