//! Response bodies in the form that actix-http polls, for an `App`.
//!
//! actix-http polls bodies, while the contract hands over pieces. A large body is divided here,
//! because an `App` copies every piece.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;
use docent_http::{Body, Draining, PIECE_SIZE};

use super::upload::AppUpload;

/// The body of a response.
pub(super) struct Outgoing {
    body: Body,
    size: BodySize,
    /// The rest of the request, which is read after the last piece.
    rest: Option<Draining<AppUpload>>,
}

impl Outgoing {
    /// Creates a body. The response to HEAD has no bytes, and announces the length that it would have
    /// had.
    pub(super) fn new(body: Body, is_to_head: bool, rest: Option<Draining<AppUpload>>) -> Self {
        let size = match body.length() {
            Some(length) => BodySize::Sized(length as u64),
            None => BodySize::Stream,
        };
        let body = if is_to_head { Body::None } else { body };
        Self { body, size, rest }
    }

    /// Boxes the body for an `App`. actix-web sends plain bytes without another box.
    pub(super) fn boxed(self) -> BoxBody {
        match (self.body, self.rest) {
            (Body::Whole(bytes), None) => BoxBody::new(bytes),
            (body, rest) => BoxBody::new(Self { body, rest, ..self }),
        }
    }
}

impl MessageBody for Outgoing {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let next = ready!(self.body.poll_piece(cx, PIECE_SIZE));
        if next.is_none()
            && let Some(rest) = &mut self.rest
        {
            ready!(Pin::new(rest).poll(cx));
        }
        Poll::Ready(next)
    }
}
