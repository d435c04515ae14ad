//! Responses to requests that never become calls. A carrier sends [`busy`] while it shuts down, and passes an
//! [`invalid_request`] to [`Endpoint::fail`](crate::Endpoint::fail) for a request that it could not read.
//!
//! They have the form of a JSON-RPC response with `id: null`, so that clients need no other parser for errors
//! of the server.

use docent_core::carrier::{Reply, RequestError};
use docent_core::{Service, code};
use http::StatusCode;

use crate::options::HttpOptions;
use crate::request::Request;
use crate::response::Response;
use crate::{cache, status};

/// Returns the response of a server that is shutting down to a request that it does not read.
pub fn busy() -> Response {
    let reply = Reply::request_error(RequestError::Busy);
    let mut response = Response::of_reply(status::of_protocol_error(code::BUSY), reply);
    response.is_told = false;
    response
}

/// Returns the response to a request for a page of a host that the server does not serve.
pub(crate) fn misdirected() -> Response {
    let reply = Reply::request_error(misdirection());
    let mut response = Response::of_reply(StatusCode::MISDIRECTED_REQUEST, reply);
    response.is_told = false;
    response
}

/// Returns the response to a request that does not read a page of a served host.
pub(crate) fn of_page(request: &Request<'_>, options: &HttpOptions) -> Option<Response> {
    if !request.is_for_served_host(options) {
        return Some(misdirected());
    }
    (!request.is_read()).then(Response::read_only)
}

/// Returns the error of a request that names a host that the server does not serve.
pub(crate) fn misdirection() -> RequestError {
    invalid_request(
        "this server does not serve the requested host; to allow more hosts, list them in \
         `HttpOptions::allowed_hosts`",
    )
}

/// Returns the error of an invalid request, with the reason.
pub fn invalid_request(reason: impl Into<String>) -> RequestError {
    let reason = reason.into();
    RequestError::Invalid { reason }
}

/// Returns the rejection of a caller that the guards of `rpc.describe` reject, for pages that
/// reveal the description.
pub(crate) async fn without_description(
    service: &Service,
    request: &Request<'_>,
    options: &HttpOptions,
) -> Option<Response> {
    if !service.is_guarded(cache::DESCRIPTION_PROCEDURE) {
        return None;
    }
    let extensions = request.extensions(options).into();
    let rejected = service
        .carrier()
        .admits(cache::DESCRIPTION_PROCEDURE, Some(&extensions))
        .await
        .err()?;
    let vary = cache::vary("", rejected.fields());
    Some(Response::of_get(*rejected).varying(vary))
}
