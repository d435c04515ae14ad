//! GET and HEAD: an idempotent procedure with parameters in the query.
//!
//! Only here do errors have statuses of their own, because caches and browsers look at nothing
//! else. Which procedures may be called is decided in `docent-core`.

use std::sync::Arc;

use docent_core::Extensions;
use docent_core::carrier::Reply;
use docent_core::code::{self, Retry};
use flate2::Compression;
use http::{StatusCode, header};

use crate::address::Address;
use crate::cache::{Audience, Hash};
use crate::coding::{Coding, compress, named_tag};
use crate::endpoint::Endpoint;
use crate::headers::Headers;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::traffic::Exchange;
use crate::{cache, events, front_door};

/// Calls the procedure of the address with the parameters of the query.
pub(crate) async fn call(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
) -> Response {
    let exchange = endpoint.traffic.begin();
    if endpoint.sheds() {
        return endpoint.busy(request);
    }
    if events::are_wanted(request, endpoint) {
        // Boxed, so that other calls do not carry it.
        return Box::pin(events::get(request, endpoint, procedure, exchange)).await;
    }
    let extensions = Arc::new(request.take_extensions(&endpoint.options, &endpoint.has_version));
    let query = request.target.query;
    let shared = Some(Arc::clone(&extensions));
    let reply = endpoint.service.query(procedure, query, shared).await;
    respond(request, endpoint, procedure, &extensions, reply, exchange).await
}

/// Returns the response to a query from the service's reply, once there is room for it.
#[inline]
pub(crate) async fn respond(
    request: &Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
    extensions: &Extensions,
    mut reply: Reply,
    exchange: Exchange,
) -> Response {
    let Some(room) = endpoint.room_for(&mut reply).await else {
        return endpoint.unavailable(reply);
    };
    let vary = cache::vary_of(&reply);
    let own = reply.take_response_fields();
    let outcome = match reply.error_code() {
        None => result(request, extensions, !own.is_empty(), endpoint, reply).await,
        Some(code) => error(request, endpoint, procedure, code, reply),
    };
    let mut response = outcome.for_one(room, exchange);
    if response.status != StatusCode::NOT_MODIFIED {
        response.add_own(own);
    }
    // Also for errors: another caller might get a different response.
    response.set(header::VARY, vary);
    response.is_told = true;
    response
}

/// Returns an error, with the header fields that say what to do about it.
fn error(
    request: &Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
    code: i64,
    reply: Reply,
) -> Response {
    let is_pause_known = reply.retry_after().is_some();
    let mut response = Response::of_get(reply);
    if code == code::METHOD_NOT_FOUND {
        response = front_door::show_the_way(request, response);
    }
    let needs_pause = code::find(code).is_some_and(|error| error.retry == Retry::AfterPause);
    if needs_pause && !is_pause_known {
        endpoint.ask_again_later(&mut response);
    }
    if code == code::NOT_CALLABLE_WITH_GET {
        response.set(
            header::ALLOW,
            endpoint.allowed(&Address::Procedure(procedure.into())),
        );
    }
    response
}

/// Returns a result, or 304 if the caller already has it.
async fn result(
    request: &Request<'_>,
    extensions: &Extensions,
    adds_fields: bool,
    endpoint: &Endpoint,
    reply: Reply,
) -> Response {
    let none = Headers::default();
    let headers = extensions.get().unwrap_or(&none);
    let audience = if adds_fields {
        Audience::One
    } else {
        Audience::new(headers, &reply)
    };
    let mut response = Response::new(StatusCode::OK)
        .with(header::CACHE_CONTROL, audience.control(reply.cache_for()));
    let version = extensions.result_version();
    let hash_of_version = version.map(|version| endpoint.hash.of_version(&version.validator));
    let known_tag = hash_of_version
        .filter(|_| version.is_some_and(|version| version.is_known))
        .and_then(|hash| named_tag(headers, &hash));
    if let Some(tag) = known_tag {
        response.status = StatusCode::NOT_MODIFIED;
        return response.with(header::ETAG, tag);
    }
    let description = description(request, &reply);
    let is_document = is_openrpc(&reply);
    let mut body = reply.into_parts().map_or(Body::None, Body::from);
    let is_own = is_document && endpoint.name_server(&mut body, request, headers);
    let coding = Coding::for_result(headers, body.length().unwrap_or_default(), audience);
    // The hash of a description, and its compressed form, are computed once.
    let known = description
        .filter(|_| !is_own)
        .map(|procedure| endpoint.descriptions.get(&procedure, &body));
    let hash = match (&known, hash_of_version) {
        (Some(known), _) => known.hash,
        (None, Some(hash)) => hash,
        (None, None) => Hash::new(&body.text()),
    };
    // With a version, a 304 would stand for fields that only the handler can add.
    let is_known = if adds_fields && version.is_some() {
        cache::has_any(headers)
    } else {
        let tag = coding.tag(&hash);
        let is_known = tag.is_known(headers);
        response.set(header::ETAG, tag);
        is_known
    };
    if is_known {
        response.status = StatusCode::NOT_MODIFIED;
        return response;
    }
    if coding == Coding::Identity {
        return response.json(body);
    }
    let compressed = if let Some(known) = known {
        known.gzip(&body).await
    } else {
        let text = body.text();
        drop(body);
        compress(text, Compression::fast()).await
    };
    match compressed {
        Some(compressed) => response
            .with(header::CONTENT_ENCODING, "gzip")
            .json(compressed),
        None => endpoint.busy(request),
    }
}

/// Returns whether the reply is an OpenRPC document.
pub(crate) fn is_openrpc(reply: &Reply) -> bool {
    reply
        .procedure()
        .is_some_and(|called| called.name == "rpc.discover")
        && reply.error_code().is_none()
}

/// Returns the name of the called procedure if it returns the same description every time.
fn description(request: &Request<'_>, reply: &Reply) -> Option<String> {
    let procedure = reply.procedure().filter(|called| called.is_reserved())?;
    request
        .target
        .query
        .is_empty()
        .then(|| procedure.name.clone())
}
