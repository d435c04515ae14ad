//! POST: a JSON-RPC body and its response.
//!
//! A call has begun once its body has been read. What can be rejected before that is rejected here,
//! so that an overloaded service reads as little as possible.

use std::sync::Arc;

use bytes::Bytes;
use docent_core::carrier::{Incoming, Reply, RequestError};
use docent_core::{Extensions, Protocol, code};
use http::{StatusCode, header};

use crate::address::Address;
use crate::endpoint::Endpoint;
use crate::get::is_openrpc;
use crate::headers::Headers;
use crate::inflate::BodyCoding;
use crate::request::Request;
use crate::request_error::invalid_request;
use crate::response::{ConnectionState, Response};
use crate::traffic::Exchange;
use crate::upload::{Upload, UploadError};
use crate::waiting::BodyBuffer;
use crate::{cache, events, media, status, upload};

/// Checks the request, reads its body and calls what it asks for.
pub(crate) async fn call(
    request: &mut Request<'_>,
    upload: &mut impl Upload,
    endpoint: &Endpoint,
    address: Address<'_>,
) -> Response {
    let mut response = match media::check(&request.headers, endpoint.options.decompress) {
        Ok(_) if endpoint.sheds() => endpoint.busy(request),
        Ok(coding) => {
            return match receive(request, upload, endpoint, coding).await {
                Ok(body) => exchange(request, endpoint, address, body).await,
                Err(response) => response,
            };
        }
        Err(unsupported) => endpoint
            .fail(
                request,
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                invalid_request(unsupported.reason),
            )
            .with(unsupported.field, unsupported.accepted),
    };
    response.after = upload::skip(upload, &endpoint.options).await;
    response
}

/// Reads the body, or returns the response to a request whose body was not read.
pub(crate) async fn receive(
    request: &Request<'_>,
    upload: &mut impl Upload,
    endpoint: &Endpoint,
    coding: BodyCoding,
) -> Result<Bytes, Response> {
    let limit = endpoint.service.limits().max_body_bytes;
    let time = endpoint.options.body_timeout;
    let abandoned = AbandonedOnDrop(endpoint);
    let buffer = BodyBuffer::new(&endpoint.traffic);
    let read = upload::read(upload, coding.max_coded_bytes(limit), time, buffer).await;
    // The caller has not gone, so nothing is abandoned.
    std::mem::forget(abandoned);
    read.and_then(|body| coding.decode(body, limit))
        .map_err(|unread| fail_unread(unread, request, endpoint))
}

/// Notifies observers of a request that is abandoned: if this is dropped while its body arrives, the caller has
/// disconnected.
struct AbandonedOnDrop<'e>(&'e Endpoint);

impl Drop for AbandonedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.service.carrier().abandon(Protocol::V2_0);
    }
}

/// Calls what a body asks for, and lets the exchange last until the response has been read.
async fn exchange(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    address: Address<'_>,
    body: Bytes,
) -> Response {
    let exchange = endpoint.traffic.begin();
    // The server began to shut down while the body arrived, and does not wait for calls that start
    // now.
    if endpoint.is_shutting_down() {
        return endpoint.busy(request);
    }
    let mut incoming = Incoming::new(body);
    if let Address::Procedure(name) = address {
        incoming = incoming.only(name);
    }
    if events::are_wanted(request, endpoint) {
        // Boxed, so that other calls do not carry it.
        return Box::pin(events::post(request, endpoint, incoming, exchange)).await;
    }
    let extensions = Arc::new(request.take_extensions(&endpoint.options, &endpoint.has_version));
    let incoming = incoming.extensions(Arc::clone(&extensions));
    let reply = endpoint.service.exchange(incoming).await;
    respond(request, endpoint, &extensions, reply, exchange).await
}

/// Returns the response to a body from the service's reply, once there is room for it.
#[inline]
pub(crate) async fn respond(
    request: &Request<'_>,
    endpoint: &Endpoint,
    extensions: &Extensions,
    mut reply: Reply,
    exchange: Exchange,
) -> Response {
    let Some(room) = endpoint.room_for(&mut reply).await else {
        return endpoint.unavailable(reply);
    };
    let is_document = is_openrpc(&reply);
    let own = reply.take_response_fields();
    let is_subscription = cache::is_of_subscription(&reply);
    let mut response = Response::of_reply(status::of_post(&reply), reply);
    if is_subscription {
        response.set(header::VARY, "Accept");
    }
    if is_document && let Some(headers) = extensions.get::<Headers>() {
        endpoint.name_server(&mut response.body, request, headers);
    }
    response.add_own(own);
    response.for_one(room, exchange)
}

/// Returns the response to a request whose body could not be read.
fn fail_unread(unread: UploadError, request: &Request<'_>, endpoint: &Endpoint) -> Response {
    let (status, error) = match unread {
        UploadError::TooLarge => {
            let limit = endpoint.service.limits().max_body_bytes;
            let status = status::of_protocol_error(code::REQUEST_TOO_LARGE);
            (status, RequestError::TooLarge { limit })
        }
        UploadError::NoRoom => (status::of_protocol_error(code::BUSY), RequestError::Busy),
        UploadError::TooSlow => {
            let seconds = endpoint.options.body_timeout.as_secs_f64();
            let reason = format!("the body must arrive within {seconds} s");
            (StatusCode::REQUEST_TIMEOUT, invalid_request(reason))
        }
        UploadError::Broken => {
            let reason = "the body ends early or its transfer coding is malformed";
            (
                status::of_protocol_error(code::INVALID_REQUEST),
                invalid_request(reason),
            )
        }
        UploadError::Miscoded => {
            let reason = "the body does not match its Content-Encoding";
            (
                status::of_protocol_error(code::INVALID_REQUEST),
                invalid_request(reason),
            )
        }
    };
    let mut response = endpoint.fail(request, status, error);
    response.after = match unread {
        UploadError::TooLarge | UploadError::NoRoom => ConnectionState::Drain,
        _ => ConnectionState::Close,
    };
    response
}
