//! GET and HEAD: an idempotent procedure, its parameters in the query.

use actix_web::http::header::{self, ALLOW, ETag, EntityTag, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use docent_core::{Reply, code};

use super::address::Address;
use super::cache::Audience;
use super::coding::{Coding, Gzipped};
use super::pieces::{self, Compressing};
use super::traffic::Ticket;
use super::{Endpoint, allowed, cache, extensions, status};

pub(super) async fn answer(
    request: &HttpRequest,
    endpoint: &Endpoint,
    procedure: &str,
) -> HttpResponse {
    let ticket = endpoint.traffic.begin();
    if endpoint.sheds() {
        return endpoint.busy(request);
    }
    let extensions = Some(extensions(request));
    let query = request.uri().query().unwrap_or_default();
    let reply = endpoint.service.query(procedure, query, extensions).await;
    let vary = cache::vary_of(&reply);
    let mut response = match reply.error_code() {
        None => result(request, endpoint, reply, ticket).await,
        Some(code) => pieces::for_one(error(endpoint, procedure, code, reply), endpoint, ticket),
    };
    // Whatever it is: another caller might get something else.
    response.headers_mut().insert(header::VARY, vary);
    response
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
async fn result(
    request: &HttpRequest,
    endpoint: &Endpoint,
    reply: Reply,
    ticket: Ticket,
) -> HttpResponse {
    let audience = Audience::of(request, &reply);
    let control = audience.control(reply.cache_for());
    let description = description(request, &reply);
    let text = Bytes::from(reply.into_body().unwrap_or_default());
    let hash = cache::hash(&text);
    let known = |tag| cache::has(request, tag);
    let wanted = Coding::for_result(request, text.len(), audience);
    let tag = wanted.tag(&hash);
    if known(&tag) {
        return validated(HttpResponse::NotModified(), control, tag).finish();
    }
    let text = if wanted == Coding::Identity {
        text
    } else {
        match compressed(endpoint, description, text).await {
            Ok(gzipped) => return in_gzip(endpoint, gzipped, (control, tag), ticket),
            // There is no room for compressing it.
            Err(_) if !Coding::takes_identity(request) => return endpoint.busy(request),
            Err(text) => text,
        }
    };
    let tag = Coding::Identity.tag(&hash);
    if known(&tag) {
        return validated(HttpResponse::NotModified(), control, tag).finish();
    }
    let mut response = validated(HttpResponse::Ok(), control, tag);
    pieces::for_one(super::as_json(&mut response).body(text), endpoint, ticket)
}

/// A result in gzip; the text itself where there is no room for compressing it.
async fn compressed(
    endpoint: &Endpoint,
    description: Option<String>,
    text: Bytes,
) -> Result<Gzipped, Bytes> {
    let waiting = endpoint.traffic.waiting();
    let Some(procedure) = description else {
        return Gzipped::once(text, waiting);
    };
    let descriptions = &endpoint.descriptions;
    let kept = descriptions.gzip(procedure, &text, waiting).await;
    kept.map(Gzipped::Whole).ok_or(text)
}

fn in_gzip(
    endpoint: &Endpoint,
    gzipped: Gzipped,
    (control, tag): (HeaderValue, EntityTag),
    ticket: Ticket,
) -> HttpResponse {
    let mut response = validated(HttpResponse::Ok(), control, tag);
    response.insert_header((header::CONTENT_ENCODING, "gzip"));
    super::as_json(&mut response);
    match gzipped {
        Gzipped::Whole(bytes) => pieces::for_one(response.body(bytes), endpoint, ticket),
        Gzipped::Leaving(parcel) => response.body(Compressing::new(parcel, ticket)),
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
        .insert_header(ETag(tag));
    response
}

/// The procedure that was called, where it gives the same description every time.
fn description(request: &HttpRequest, reply: &Reply) -> Option<String> {
    let whole = request.uri().query().unwrap_or_default().is_empty();
    let procedure = reply.procedure().filter(|called| called.is_reserved())?;
    whole.then(|| procedure.name.clone())
}
