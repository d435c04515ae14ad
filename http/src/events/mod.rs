//! Subscriptions over HTTP: a response whose body is a stream of events (Server-Sent Events, as the HTML standard has
//! them).
//!
//! A request for events is a call like any other, of which only `Accept` says that its response may go on:
//!
//! ```text
//! POST /rpc                                  GET /rpc/loan.watch
//! Accept: text/event-stream                  Accept: text/event-stream
//! {"method":"loan.watch","id":1,…}           Last-Event-ID: 17
//!
//! post, get ─► Connection::of_exchange(service, extensions, cursor)
//!     ─ the service runs the call with the extensions ─► Reply
//!     ─ connection.open(reply) ─► yes: EventStream { Connection }, as a Body      no: post::respond, get::respond
//! ```
//!
//! [`EventStream`] polls the [`Connection`] when the carrier wants another piece, and writes its messages as events:
//! first the response to the call, then items, then the end. To close the response is to unsubscribe. If the call opens
//! no subscription, its reply is sent as if `Accept` had not named events, so a caller that a guard refuses gets the
//! status of a refusal and no stream.
//!
//! Browsers come back by themselves after every end, with the `id` of the last event in `Last-Event-ID`. So an `id` is
//! the cursor of an item, and the last event of a subscription that is over has the `id` `-`, to which the response is
//! 204 (410 to a POST): that is how a browser is told not to come back.

mod stream;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use docent_core::carrier::{Connection, Incoming, LAST_CURSOR, Reply};
use docent_core::code;
use http::{HeaderName, Method, StatusCode, header};

pub use stream::{EventStream, MAX_STALL};

use crate::accept;
use crate::endpoint::Endpoint;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::traffic::Exchange;
use crate::{get, post};

/// Tells nginx to pass events on as they come.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Returns whether a request asks for events, of a service that has some.
pub(crate) fn are_wanted(request: &Request<'_>, endpoint: &Endpoint) -> bool {
    endpoint.service.has_subscriptions() && accept::takes_events(&request.headers)
}

/// A request that asks for events, while it is no stream yet.
struct EventRequest {
    connection: Connection,
    /// True if the caller comes back after the last event.
    is_after_end: bool,
}

impl EventRequest {
    fn new(request: &mut Request<'_>, endpoint: &Endpoint) -> Self {
        let last_id = request.headers.get("last-event-id").unwrap_or_default();
        // Bytes that are not UTF-8 are a cursor that the service never sent. To ignore it would hide what was missed.
        let cursor = (!last_id.is_empty()).then(|| String::from_utf8_lossy(last_id).into_owned());
        let is_after_end = cursor.as_deref() == Some(LAST_CURSOR);
        let extensions = request.take_extensions(&endpoint.options, &endpoint.has_version);
        let service = endpoint.service.clone();
        Self {
            connection: Connection::of_exchange(service, extensions, cursor),
            is_after_end,
        }
    }

    /// Returns whether a reply says that there is nothing to come back to.
    fn is_over(&self, reply: &Reply) -> bool {
        self.is_after_end && reply.error_code() == Some(code::CANNOT_RESUME)
    }
}

/// Sends the request of a body to the service, and responds with events if it opens a subscription.
pub(crate) async fn post(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    incoming: Incoming,
    exchange: Exchange,
) -> Response {
    let mut event_request = EventRequest::new(request, endpoint);
    let extensions = Arc::clone(event_request.connection.extensions());
    let incoming = incoming.extensions(Arc::clone(&extensions));
    let mut reply = endpoint.service.exchange(incoming).await;
    if event_request.connection.open(&mut reply) {
        return stream_response(endpoint, event_request.connection, reply);
    }
    let is_over = event_request.is_over(&reply);
    let mut response = post::respond(request, endpoint, &extensions, reply, exchange).await;
    if is_over {
        response.status = StatusCode::GONE;
    }
    response
}

/// Calls the procedure of the address with the parameters of the query, and responds with events if that opens a
/// subscription. HEAD opens none, and has the fields that GET has.
pub(crate) async fn get(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
    exchange: Exchange,
) -> Response {
    if request.method == Method::HEAD {
        return head(request, endpoint, procedure, exchange).await;
    }
    let mut event_request = EventRequest::new(request, endpoint);
    let extensions = Arc::clone(event_request.connection.extensions());
    let query = request.target.query;
    let call = endpoint
        .service
        .query(procedure, query, Some(Arc::clone(&extensions)));
    let mut reply = call.await;
    if event_request.connection.open(&mut reply) {
        return stream_response(endpoint, event_request.connection, reply);
    }
    let is_over = event_request.is_over(&reply);
    let mut response =
        get::respond(request, endpoint, procedure, &extensions, reply, exchange).await;
    if is_over {
        remove_content(&mut response);
    }
    response
}

/// Turns a response into the one (204) that tells browsers not to come back.
fn remove_content(response: &mut Response) {
    response.status = StatusCode::NO_CONTENT;
    response.body = Body::None;
    response
        .fields
        .retain(|(name, _)| *name != header::CONTENT_TYPE);
}

/// Responds to HEAD. The call has no connection, so a subscription that would begin is refused because it needs one. After
/// the end of a subscription the response is 204, as to GET.
async fn head(
    request: &mut Request<'_>,
    endpoint: &Endpoint,
    procedure: &str,
    exchange: Exchange,
) -> Response {
    let is_after_end = request.headers.get("last-event-id") == Some(LAST_CURSOR.as_bytes());
    let extensions = Arc::new(request.take_extensions(&endpoint.options, &endpoint.has_version));
    let query = request.target.query;
    let call = endpoint
        .service
        .query(procedure, query, Some(Arc::clone(&extensions)));
    let reply = call.await;
    let would_begin = reply.error_code() == Some(code::NEEDS_A_CONNECTION);
    if would_begin && !is_after_end {
        return event_response(EventStream::of_head());
    }
    let mut response =
        get::respond(request, endpoint, procedure, &extensions, reply, exchange).await;
    if would_begin {
        remove_content(&mut response);
    }
    response
}

/// Returns the response of an open subscription.
fn stream_response(endpoint: &Endpoint, connection: Connection, mut reply: Reply) -> Response {
    let response_fields = reply.take_response_fields();
    let mut response = event_response(EventStream::new(endpoint, connection, reply));
    response.add_own(response_fields);
    response
}

/// Returns the response with these events.
fn event_response(events: EventStream) -> Response {
    let mut response = Response::new(StatusCode::OK)
        .with(header::CACHE_CONTROL, "no-store")
        .with(header::VARY, "Accept")
        .with(X_ACCEL_BUFFERING, "no")
        .content("text/event-stream", Body::Events(events));
    response.is_told = true;
    response
}
