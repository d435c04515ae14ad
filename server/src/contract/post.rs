//! POST: a JSON-RPC body in, its answer out.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use docent_core::{Incoming, Protocol, Refusal};

use super::address::Address;
use super::inflate::Coding;
use super::{Endpoint, extensions, media, pieces, status};
use crate::actix::closing;
use crate::actix::upload::{self, Bounds, Unread};

pub(super) async fn answer(
    request: &HttpRequest,
    mut payload: web::Payload,
    endpoint: &Endpoint,
    address: Address,
) -> HttpResponse {
    let coding = match media::check(request, endpoint.options.decompress) {
        Ok(coding) => coding,
        Err(unsupported) => {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            let refusal = Refusal::NotARequest {
                reason: unsupported.reason,
            };
            let mut response = endpoint.refuse(request, status, refusal);
            let (name, value) = unsupported.header;
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
            return unread(request, response, payload, endpoint).await;
        }
    };
    if endpoint.sheds() {
        let response = endpoint.busy(request);
        return unread(request, response, payload, endpoint).await;
    }
    let arrival = Arrival(Some(endpoint));
    let read = read(request, &mut payload, endpoint, coding).await;
    arrival.ends();
    let body = match read {
        Ok(body) => body,
        Err(unread) => return refuse_unread(request, unread, payload, endpoint),
    };
    let response = exchange(request, endpoint, address, body).await;
    if upload::is_unframed(request) {
        closing::close(response, payload)
    } else {
        response
    }
}

/// A body on its way. Where it is dropped before that has ended, the caller has gone.
struct Arrival<'e>(Option<&'e Endpoint>);

impl Arrival<'_> {
    fn ends(mut self) {
        self.0 = None;
    }
}

impl Drop for Arrival<'_> {
    fn drop(&mut self) {
        if let Some(endpoint) = self.0 {
            endpoint.service.abandon(Protocol::V2_0);
        }
    }
}

async fn read(
    request: &HttpRequest,
    payload: &mut web::Payload,
    endpoint: &Endpoint,
    coding: Coding,
) -> Result<Bytes, Unread> {
    let limit = endpoint.service.limits().body;
    let bounds = Bounds {
        bytes: coding.longest(limit),
        time: endpoint.options.body_timeout,
        waiting: endpoint.traffic.waiting(),
    };
    let coded = upload::read(request, payload, bounds).await?;
    coding.decode(coded, limit)
}

async fn exchange(
    request: &HttpRequest,
    endpoint: &Endpoint,
    address: Address,
    body: Bytes,
) -> HttpResponse {
    let ticket = endpoint.traffic.begin();
    // The body took its time, and nothing may begin that nobody is going to wait for.
    if endpoint.is_leaving() {
        return endpoint.busy(request);
    }
    let mut incoming = Incoming::new(body).extensions(extensions(request));
    if let Address::Procedure(name) = address {
        incoming = incoming.only(name);
    }
    let reply = endpoint.service.exchange(incoming).await;
    let response = super::answer(status::of_post(&reply), reply);
    pieces::for_one(response, endpoint, ticket)
}

fn refuse_unread(
    request: &HttpRequest,
    unread: Unread,
    payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    let (status, reason) = match unread {
        Unread::TooLarge => {
            let limit = endpoint.service.limits().body;
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            let response = endpoint.refuse(request, status, Refusal::TooLarge { limit });
            return closing::close_after_draining(response, payload, &endpoint.options);
        }
        Unread::GivenUp => return closing::close(endpoint.busy(request), payload),
        Unread::TooSlow => {
            let seconds = endpoint.options.body_timeout.as_secs_f64();
            let reason = format!("the body must arrive within {seconds} s");
            (StatusCode::REQUEST_TIMEOUT, reason)
        }
        Unread::Broken => {
            let reason = "the body ends early or its transfer coding is malformed";
            (StatusCode::BAD_REQUEST, reason.to_owned())
        }
        Unread::Miscoded => {
            let reason = "the body does not match its Content-Encoding";
            (StatusCode::BAD_REQUEST, reason.to_owned())
        }
    };
    let refusal = Refusal::NotARequest { reason };
    closing::close(endpoint.refuse(request, status, refusal), payload)
}

/// The answer to a request whose body nobody is going to look at.
async fn unread(
    request: &HttpRequest,
    response: HttpResponse,
    mut payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    // It may come all the same, from a client that does not wait for long.
    if upload::is_withheld(request) {
        return closing::close_after_draining(response, payload, &endpoint.options);
    }
    if closing::drain(&mut payload, &endpoint.options).await {
        response
    } else {
        closing::close(response, payload)
    }
}
