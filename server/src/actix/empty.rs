//! Answers without a body, sent so that they wait for their caller like any other.
//!
//! actix-web appends an answer of no bytes to what is to be written without looking at how much
//! that is already. A caller that asks again and again and never reads would fill the memory with
//! such answers. One whose body might yet come waits until there is room.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use bytes::Bytes;

/// The same answer, held back while its caller does not read. One that may have a body gets its
/// status in words for one.
pub(crate) fn held_back(response: HttpResponse) -> HttpResponse {
    if !matches!(response.body().size(), BodySize::None | BodySize::Sized(0)) {
        return response;
    }
    response.map_body(|head, _| {
        if matches!(
            head.status,
            StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
        ) {
            head.no_chunking(true);
            return BoxBody::new(Bodiless(BodySize::Stream));
        }
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        head.headers_mut().insert(CONTENT_TYPE, text);
        let reason = head.status.canonical_reason().unwrap_or("Answered");
        BoxBody::new(format!("{reason}\n"))
    })
}

/// What is answered where nothing is.
pub(crate) async fn nowhere() -> HttpResponse {
    held_back(HttpResponse::NotFound().finish())
}

/// The same answer without its body, for HEAD.
pub(crate) fn bodiless(response: HttpResponse) -> HttpResponse {
    response.map_body(|_, body| match body.size() {
        BodySize::None | BodySize::Sized(0) => body,
        size => BoxBody::new(Bodiless(size)),
    })
}

/// A body that turns out to be none, whatever its size was said to be.
struct Bodiless(BodySize);

impl MessageBody for Bodiless {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}
