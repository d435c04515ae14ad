//! GET and HEAD: an idempotent procedure with parameters in the query.

use std::sync::Arc;

use bytes::Bytes;
use docent_core::{Reply, code};

use super::address::Address;
use super::cache::{Audience, Tag};
use super::coding::{Coding, Gzipped};
use super::endpoint::Endpoint;
use super::pieces::{Body, Compressing};
use super::request::Request;
use super::response::{Field, Response, Status, Value};
use super::traffic::Ticket;
use super::{cache, status};

pub(super) async fn call(request: &Request<'_>, endpoint: &Endpoint, procedure: &str) -> Response {
    let ticket = endpoint.traffic.begin();
    if endpoint.sheds() {
        return endpoint.busy(request.method);
    }
    let extensions = Some(Arc::new(request.extensions()));
    let query = request.target.query;
    let reply = endpoint.service.query(procedure, query, extensions).await;
    let vary = cache::vary_of(&reply);
    let response = match reply.error_code() {
        None => result(request, endpoint, reply, ticket).await,
        Some(code) => error(endpoint, procedure, code, reply).for_one(&endpoint.traffic, ticket),
    };
    // Set for any outcome, because another caller might get a different one.
    response.with(Field::Vary, vary)
}

fn error(endpoint: &Endpoint, procedure: &str, code: i64, reply: Reply) -> Response {
    let mut response = Response::of_reply(status::of_get(&reply), reply);
    if code == code::BUSY {
        endpoint.ask_again_later(&mut response);
    }
    if code == code::NOT_CALLABLE_WITH_GET {
        let allow = endpoint.allowed(&Address::Procedure(procedure.to_owned()));
        response.set(Field::Allow, allow);
    }
    response
}

/// Returns a result, or 304 if the caller already has it.
async fn result(
    request: &Request<'_>,
    endpoint: &Endpoint,
    reply: Reply,
    ticket: Ticket,
) -> Response {
    let audience = Audience::of(&request.headers, &reply);
    let control = audience.control(reply.cache_for());
    let description = description(request, &reply);
    let text = Bytes::from(reply.into_body().unwrap_or_default());
    let hash = cache::hash(&text);
    let wanted = Coding::for_result(request, text.len(), audience);
    let tag = wanted.tag(&hash);
    if tag.is_known(&request.headers) {
        return validated(Status::NOT_MODIFIED, control, tag);
    }
    let (text, tag) = if wanted == Coding::Identity {
        (text, tag)
    } else {
        match compressed(endpoint, description, text).await {
            Ok(gzipped) => return in_gzip(endpoint, gzipped, (control, tag), ticket),
            // There is no room for compression.
            Err(_) if !Coding::takes_identity(&request.headers) => {
                return endpoint.busy(request.method);
            }
            Err(text) => {
                let tag = Coding::Identity.tag(&hash);
                if tag.is_known(&request.headers) {
                    return validated(Status::NOT_MODIFIED, control, tag);
                }
                (text, tag)
            }
        }
    };
    let response = validated(Status::OK, control, tag).json(text);
    response.for_one(&endpoint.traffic, ticket)
}

/// A gzip result, or the text itself if there is no room for compression.
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
    (control, tag): (Value, Tag),
    ticket: Ticket,
) -> Response {
    let response = validated(Status::OK, control, tag).with(Field::ContentEncoding, "gzip");
    match gzipped {
        Gzipped::Whole(bytes) => response.json(bytes).for_one(&endpoint.traffic, ticket),
        Gzipped::Leaving(parcel) => {
            let body = Compressing::new(parcel, ticket);
            response.json(Body::Compressing(Box::new(body)))
        }
    }
}

/// Returns a response with what a cache needs to know about a result.
fn validated(status: Status, control: Value, tag: Tag) -> Response {
    Response::new(status)
        .with(Field::CacheControl, control)
        .with(Field::ETag, tag)
}

/// Returns the name of the called procedure if it returns the same description every time.
fn description(request: &Request<'_>, reply: &Reply) -> Option<String> {
    let procedure = reply.procedure().filter(|called| called.is_reserved())?;
    let whole = request.target.query.is_empty();
    whole.then(|| procedure.name.clone())
}
