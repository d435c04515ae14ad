//! GET and HEAD: an idempotent procedure, its parameters in the query.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, ALLOW, ETag, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use docent_core::{Refusal, Reply, code};

use super::address::Address;
use super::{Endpoint, allowed, cache, extensions, status};

pub(super) async fn answer(
    request: &HttpRequest,
    endpoint: &Endpoint,
    procedure: &str,
) -> HttpResponse {
    let reply = if endpoint.sheds() {
        Reply::refusal(Refusal::Busy)
    } else {
        let extensions = Some(extensions(request));
        let query = request.uri().query().unwrap_or_default();
        endpoint.service.query(procedure, query, extensions).await
    };
    if reply.error_code().is_none() {
        return result(request, reply);
    }
    let refused = reply.error_code() == Some(code::NOT_CALLABLE_WITH_GET);
    let mut response = super::answer(status::of_get(&reply), reply);
    if refused {
        let allow = allowed(endpoint, &Address::Procedure(procedure.to_owned()));
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// A result, or the news that the caller has it already.
fn result(request: &HttpRequest, reply: Reply) -> HttpResponse {
    let control = cache::control(request, reply.is_personal(), reply.cache_for());
    let tag = cache::tag(reply.body().unwrap_or_default());
    let mut response = if cache::has(request, &tag) {
        HttpResponse::new(StatusCode::NOT_MODIFIED)
    } else {
        super::answer(StatusCode::OK, reply)
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, control);
    headers.insert(header::VARY, HeaderValue::from_static(cache::VARY));
    if let Ok(tag) = header::TryIntoHeaderValue::try_into_value(ETag(tag)) {
        headers.insert(header::ETAG, tag);
    }
    response
}
