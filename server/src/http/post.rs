//! POST: a JSON-RPC body in, its answer out.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse, web};
use docent_core::{Incoming, Refusal, Reply};

use super::address::Address;
use super::body::{self, Unread};
use super::{Endpoint, extensions, media, status};

pub(super) async fn answer(
    request: &HttpRequest,
    mut payload: web::Payload,
    endpoint: &Endpoint,
    address: Address,
) -> HttpResponse {
    if let Err(unsupported) = media::check(request) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        let refusal = Refusal::NotARequest {
            reason: unsupported.reason,
        };
        let mut response = refuse(status, refusal, payload, endpoint).await;
        let (name, value) = unsupported.header;
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
        return response;
    }
    if endpoint.sheds() {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let mut response = refuse(status, Refusal::Busy, payload, endpoint).await;
        endpoint.ask_again_later(&mut response);
        return response;
    }
    let limit = endpoint.service.limits().body;
    let read = body::read(request, &mut payload, limit, endpoint.options.body_timeout).await;
    let body = match read {
        Ok(body) => body,
        Err(unread) => return refuse_unread(unread, payload, endpoint),
    };
    let mut incoming = Incoming::new(body).extensions(extensions(request));
    if let Address::Procedure(name) = address {
        incoming = incoming.only(name);
    }
    let reply = endpoint.service.exchange(incoming).await;
    super::answer(status::of_post(&reply), reply)
}

fn refuse_unread(unread: Unread, payload: web::Payload, endpoint: &Endpoint) -> HttpResponse {
    let (status, refusal) = match unread {
        Unread::TooLarge => {
            let limit = endpoint.service.limits().body;
            let reply = Reply::refusal(Refusal::TooLarge { limit });
            let response = super::answer(StatusCode::PAYLOAD_TOO_LARGE, reply);
            return body::close_after_draining(response, payload, &endpoint.options);
        }
        Unread::TooSlow => {
            let seconds = endpoint.options.body_timeout.as_secs();
            let reason = format!("the body has to arrive within {seconds} s");
            (StatusCode::REQUEST_TIMEOUT, Refusal::NotARequest { reason })
        }
        Unread::Broken => {
            let reason = "the body ends early or its transfer coding is broken".to_owned();
            (StatusCode::BAD_REQUEST, Refusal::NotARequest { reason })
        }
    };
    body::close(super::answer(status, Reply::refusal(refusal)), payload)
}

/// Answers a request whose body nobody is going to look at.
async fn refuse(
    status: StatusCode,
    refusal: Refusal,
    mut payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    let response = super::answer(status, Reply::refusal(refusal));
    if body::drain(&mut payload, &endpoint.options).await {
        response
    } else {
        body::close(response, payload)
    }
}
