//! GET and HEAD: an idempotent procedure, its parameters in the query.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use docent_core::code;

use super::address::Address;
use super::{Endpoint, allowed, extensions, status};

pub(super) async fn answer(
    request: &HttpRequest,
    endpoint: &Endpoint,
    procedure: &str,
) -> HttpResponse {
    let extensions = Some(extensions(request));
    let query = request.uri().query().unwrap_or_default();
    let reply = endpoint.service.query(procedure, query, extensions).await;
    let code = reply.error_code();
    let status = code.map_or(StatusCode::OK, |code| {
        status::of_get(code, reply.procedure())
    });
    let mut response = super::answer(status, reply);
    if code.is_none() {
        // What is answered now may be kept, and has to be asked for again before it is used.
        response
            .headers_mut()
            .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    if code == Some(code::NOT_CALLABLE_WITH_GET) {
        let allow = allowed(endpoint, &Address::Procedure(procedure.to_owned()));
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}
