//! GET and HEAD: an idempotent procedure, its parameters in the query.

use actix_web::http::header::{self, ALLOW, ETag, EntityTag, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use docent_core::{Reply, code};

use super::address::Address;
use super::coding::{self, Coding};
use super::{Endpoint, allowed, cache, extensions, status};

pub(super) async fn answer(
    request: &HttpRequest,
    endpoint: &Endpoint,
    procedure: &str,
) -> HttpResponse {
    if endpoint.sheds() {
        return endpoint.busy(endpoint.service.protocol_of_get());
    }
    let extensions = Some(extensions(request));
    let query = request.uri().query().unwrap_or_default();
    let reply = endpoint.service.query(procedure, query, extensions).await;
    match reply.error_code() {
        None => result(request, endpoint, reply).await,
        Some(code) => error(endpoint, procedure, code, reply),
    }
}

fn error(endpoint: &Endpoint, procedure: &str, code: i64, reply: Reply) -> HttpResponse {
    let mut response = super::answer(status::of_get(&reply), reply);
    if code == code::BUSY {
        endpoint.ask_again_later(&mut response);
    }
    if code == code::NOT_CALLABLE_WITH_GET {
        let allow = allowed(endpoint, &Address::Procedure(procedure.to_owned()));
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// A result, or the news that the caller has it already.
async fn result(request: &HttpRequest, endpoint: &Endpoint, reply: Reply) -> HttpResponse {
    let personal = reply.is_personal() || cache::has_credentials(request);
    let control = cache::control(personal, reply.cache_for());
    let description = description(request, &reply);
    let text = Bytes::from(reply.into_body().unwrap_or_default());
    let hash = cache::hash(&text);
    let wanted = Coding::for_result(request, text.len(), personal);
    if cache::has(request, &wanted.tag(&hash)) {
        let response = HttpResponse::NotModified();
        return validated(response, control, wanted.tag(&hash)).finish();
    }
    let compressed = match (wanted, description) {
        (Coding::Identity, _) => None,
        (Coding::Gzip, Some(name)) => endpoint.descriptions.gzip(name, &text).await,
        (Coding::Gzip, None) => coding::gzip_once(&text).await,
    };
    let mut response = HttpResponse::Ok();
    super::as_json(&mut response);
    match compressed {
        Some(compressed) => validated(response, control, Coding::Gzip.tag(&hash))
            .insert_header((header::CONTENT_ENCODING, "gzip"))
            .body(compressed),
        None => validated(response, control, Coding::Identity.tag(&hash)).body(text),
    }
}

/// What a cache needs to know about a result.
fn validated(
    mut response: HttpResponseBuilder,
    control: HeaderValue,
    tag: EntityTag,
) -> HttpResponseBuilder {
    response
        .insert_header((header::CACHE_CONTROL, control))
        .insert_header((header::VARY, cache::VARY))
        .insert_header(ETag(tag));
    response
}

/// The procedure that was called, where it gives the same description every time.
fn description(request: &HttpRequest, reply: &Reply) -> Option<String> {
    let whole = request.uri().query().unwrap_or_default().is_empty();
    let procedure = reply.procedure().filter(|called| called.is_reserved())?;
    whole.then(|| procedure.name.clone())
}
