//! POST: a JSON-RPC body in, its answer out.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use docent_core::{Incoming, Protocol, Refusal, Reply};

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
            let mut response = super::answer(status, Reply::refusal(refusal));
            let (name, value) = unsupported.header;
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
            return unread(response, payload, endpoint).await;
        }
    };
    if endpoint.sheds() {
        let response = endpoint.busy(Protocol::V2_0);
        return unread(response, payload, endpoint).await;
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
        return endpoint.busy(Protocol::V2_0);
    }
    let mut incoming = Incoming::new(body).extensions(extensions(request));
    if let Address::Procedure(name) = address {
        incoming = incoming.only(name);
    }
    let reply = endpoint.service.exchange(incoming).await;
    let response = super::answer(status::of_post(&reply), reply);
    pieces::for_one(response, endpoint, ticket)
}

fn refuse_unread(unread: Unread, payload: web::Payload, endpoint: &Endpoint) -> HttpResponse {
    let (status, reason) = match unread {
        Unread::TooLarge => {
            let limit = endpoint.service.limits().body;
            let reply = Reply::refusal(Refusal::TooLarge { limit });
            let response = super::answer(StatusCode::PAYLOAD_TOO_LARGE, reply);
            return closing::close_after_draining(response, payload, &endpoint.options);
        }
        Unread::GivenUp => return closing::close(endpoint.busy(Protocol::V2_0), payload),
        Unread::TooSlow => {
            let seconds = endpoint.options.body_timeout.as_secs_f64();
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

/// The answer to a request whose body nobody is going to look at.
async fn unread(
    response: HttpResponse,
    mut payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    if closing::drain(&mut payload, &endpoint.options).await {
        response
    } else {
        closing::close(response, payload)
    }
}
