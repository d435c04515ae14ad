//! GET and HEAD: an idempotent procedure with parameters in the query.

use std::sync::Arc;

use docent_core::{Reply, code};

use super::address::Address;
use super::cache::{Audience, Hash, Tag};
use super::coding::{Coding, Gzipped};
use super::endpoint::Endpoint;
use super::headers::Headers;
use super::pieces::{Body, Compressing};
use super::request::Request;
use super::response::{Field, Response, Status, Value};
use super::traffic::Ticket;
use super::waiting::Room;
use super::{cache, status};

pub(super) async fn call(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
) -> Response {
    let ticket = endpoint.traffic.begin();
    if endpoint.sheds() {
        return endpoint.busy(request);
    }
    let extensions = request.take_extensions(&endpoint.options);
    let query = request.target.query;
    let querying = endpoint
        .service
        .query(procedure, query, Some(Arc::clone(&extensions)));
    let mut reply = querying.await;
    let Some(room) = endpoint.room_for(&mut reply).await else {
        return endpoint.unavailable(reply);
    };
    let vary = cache::vary_of(&reply);
    let mut response = match reply.error_code() {
        None => {
            let none = Headers::default();
            let headers = extensions.get().unwrap_or(&none);
            result(request, headers, endpoint, reply, (room, ticket)).await
        }
        Some(code) => error(endpoint, procedure, code, reply).for_one(room, ticket),
    };
    // Also for errors: another caller might get a different response.
    response.set(Field::Vary, vary);
    response.is_told = true;
    response
}

fn error(endpoint: &Endpoint, procedure: &str, code: i64, reply: Reply) -> Response {
    let wait = reply.retry_after();
    let mut response = Response::of_reply(status::of_get(&reply), reply);
    if let Some(wait) = wait {
        response.set(Field::RetryAfter, wait.as_secs().to_string());
    }
    if code == code::BUSY {
        endpoint.ask_again_later(&mut response);
    }
    if code == code::NOT_CALLABLE_WITH_GET {
        let allow = endpoint.allowed(&Address::Procedure(procedure.into()));
        response.set(Field::Allow, allow);
    }
    response
}

/// Returns a result, or 304 if the caller already has it.
async fn result(
    request: &Request<'_>,
    headers: &Headers,
    endpoint: &Endpoint,
    reply: Reply,
    (room, ticket): (Room, Ticket),
) -> Response {
    let audience = Audience::of(headers, &reply);
    let control = audience.control(reply.cache_for());
    let description = description(request, &reply);
    let body = reply.into_parts().map_or(Body::None, Body::from);
    let size = body.length().and_then(|size| usize::try_from(size).ok());
    let wanted = Coding::for_result(request, headers, size.unwrap_or_default(), audience);
    let hash = hash(endpoint, description.as_deref(), &body);
    let tag = wanted.tag(&hash);
    if tag.is_known(headers) {
        return validated(Status::NOT_MODIFIED, control, tag);
    }
    let (body, tag) = if wanted == Coding::Identity {
        (body, tag)
    } else {
        match compressed(endpoint, description, body).await {
            Ok(gzipped) => return in_gzip(gzipped, (control, tag), room, ticket),
            // There is no room for compression.
            Err(_) if !Coding::takes_identity(headers) => {
                return endpoint.busy(request);
            }
            Err(body) => {
                let tag = Coding::Identity.tag(&hash);
                if tag.is_known(headers) {
                    return validated(Status::NOT_MODIFIED, control, tag);
                }
                (body, tag)
            }
        }
    };
    let response = validated(Status::OK, control, tag).json(body);
    response.for_one(room, ticket)
}

/// Returns the hash of a result. That of a description is computed once.
fn hash(endpoint: &Endpoint, description: Option<&str>, body: &Body) -> Hash {
    let hash = || match body {
        Body::Whole(text) => Hash::of(text),
        body => Hash::of(&body.text().unwrap_or_default()),
    };
    match description {
        Some(procedure) => endpoint.descriptions.hash(procedure, hash),
        None => hash(),
    }
}

/// Returns the gzip result, or the body itself if there is no room for compression.
async fn compressed(
    endpoint: &Endpoint,
    description: Option<String>,
    body: Body,
) -> Result<Gzipped, Body> {
    let waiting = endpoint.traffic.waiting();
    let Some(procedure) = description else {
        let Body::Whole(text) = body else {
            return Err(body);
        };
        return Gzipped::once(text, waiting).map_err(Body::Whole);
    };
    let descriptions = &endpoint.descriptions;
    let kept = descriptions.gzip(procedure, &body, waiting).await;
    kept.map(Gzipped::Whole).ok_or(body)
}

fn in_gzip(gzipped: Gzipped, (control, tag): (Value, Tag), room: Room, ticket: Ticket) -> Response {
    let response = validated(Status::OK, control, tag).with(Field::ContentEncoding, "gzip");
    match gzipped {
        Gzipped::Whole(bytes) => response.json(bytes).for_one(room, ticket),
        Gzipped::Leaving(text, compressor) => {
            let body = Compressing::new(text, compressor, room, ticket);
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
