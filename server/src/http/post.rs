//! POST: a JSON-RPC body in, its answer out.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use docent_core::{Incoming, Refusal, Reply};

use super::address::Address;
use super::body::{self, Bounds, Unread};
use super::inflate::Coding;
use super::{Endpoint, closing, extensions, media, pieces, status};

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
            let mut response = refuse(status, refusal, payload, endpoint).await;
            let (name, value) = unsupported.header;
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
            return response;
        }
    };
    if endpoint.sheds() {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let mut response = refuse(status, Refusal::Busy, payload, endpoint).await;
        endpoint.ask_again_later(&mut response);
        return response;
    }
    let body = match read(request, &mut payload, endpoint, coding).await {
        Ok(body) => body,
        Err(unread) => return refuse_unread(unread, payload, endpoint),
    };
    let response = exchange(request, endpoint, address, body).await;
    if body::is_unframed(request) {
        closing::close(response, payload)
    } else {
        response
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
    let coded = body::read(request, payload, bounds).await?;
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
        return busy(endpoint);
    }
    let mut incoming = Incoming::new(body).extensions(extensions(request));
    if let Address::Procedure(name) = address {
        incoming = incoming.only(name);
    }
    let reply = endpoint.service.exchange(incoming).await;
    let response = super::answer(status::of_post(&reply), reply);
    pieces::for_one(response, endpoint, ticket)
}

fn busy(endpoint: &Endpoint) -> HttpResponse {
    let reply = Reply::refusal(Refusal::Busy);
    let mut response = super::answer(StatusCode::SERVICE_UNAVAILABLE, reply);
    endpoint.ask_again_later(&mut response);
    response
}

fn refuse_unread(unread: Unread, payload: web::Payload, endpoint: &Endpoint) -> HttpResponse {
    let (status, reason) = match unread {
        Unread::TooLarge => {
            let limit = endpoint.service.limits().body;
            let reply = Reply::refusal(Refusal::TooLarge { limit });
            let response = super::answer(StatusCode::PAYLOAD_TOO_LARGE, reply);
            return closing::close_after_draining(response, payload, &endpoint.options);
        }
        Unread::GivenUp => return closing::close(busy(endpoint), payload),
        Unread::TooSlow => {
            let seconds = endpoint.options.body_timeout.as_secs();
            let reason = format!("the body has to arrive within {seconds} s");
            (StatusCode::REQUEST_TIMEOUT, reason)
        }
        Unread::Broken => {
            let reason = "the body ends early or its transfer coding is broken";
            (StatusCode::BAD_REQUEST, reason.to_owned())
        }
        Unread::Miscoded => {
            let reason = "the body is not what its Content-Encoding says";
            (StatusCode::BAD_REQUEST, reason.to_owned())
        }
    };
    let refusal = Refusal::NotARequest { reason };
    closing::close(super::answer(status, Reply::refusal(refusal)), payload)
}

/// Answers a request whose body nobody is going to look at.
async fn refuse(
    status: StatusCode,
    refusal: Refusal,
    mut payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    let response = super::answer(status, Reply::refusal(refusal));
    if closing::drain(&mut payload, &endpoint.options).await {
        response
    } else {
        closing::close(response, payload)
    }
}
