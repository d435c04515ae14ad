//! Large answers, handed over piece by piece.
//!
//! actix-web copies a piece of an answer into the buffer of its connection before it is written. A
//! large answer in one piece would be there twice, and would stay there for a caller that does not
//! read, beyond the reach of anybody.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

use super::Endpoint;
use super::traffic::Ticket;
use super::waiting::Parcel;

/// What is handed over at once, in bytes. Smaller answers are one piece.
const PIECE: usize = 32 << 10;

/// An answer that was made for one caller waits for it, and the exchange goes on until it is taken.
pub(super) fn for_one(response: HttpResponse, endpoint: &Endpoint, ticket: Ticket) -> HttpResponse {
    divided(response, |bytes| Source {
        bytes: match bytes.try_into_mut() {
            Ok(own) => Waits::Own(Parcel::leaving(endpoint.traffic.waiting(), own)),
            // Somebody else keeps it anyway.
            Err(shared) => Waits::Shared(shared),
        },
        _ticket: Some(ticket),
    })
}

/// An answer that is the same for all callers takes no memory of its own.
pub(crate) fn for_all(response: HttpResponse) -> HttpResponse {
    divided(response, |bytes| Source {
        bytes: Waits::Shared(bytes),
        _ticket: None,
    })
}

fn divided(response: HttpResponse, source: impl FnOnce(Bytes) -> Source) -> HttpResponse {
    response.map_body(|_, body| match body.size() {
        BodySize::Sized(size) if size > PIECE as u64 => match body.try_into_bytes() {
            Ok(bytes) => BoxBody::new(Pieces {
                size,
                left: bytes.len(),
                source: source(bytes),
            }),
            Err(body) => body,
        },
        _ => body,
    })
}

struct Source {
    bytes: Waits,
    /// Given back when all of it has been taken.
    _ticket: Option<Ticket>,
}

enum Waits {
    Own(Parcel),
    Shared(Bytes),
}

struct Pieces {
    size: u64,
    left: usize,
    source: Source,
}

/// The answer had to make way for those of callers that go on.
#[derive(Debug)]
struct GivenUp;

impl std::fmt::Display for GivenUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the answer waited too long for its caller to take it")
    }
}

impl std::error::Error for GivenUp {}

impl MessageBody for Pieces {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.size)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let length = self.left.min(PIECE);
        if length == 0 {
            return Poll::Ready(None);
        }
        self.left -= length;
        let piece = match &mut self.source.bytes {
            Waits::Own(parcel) => parcel.split_to(length),
            Waits::Shared(bytes) => Some(bytes.split_to(length)),
        };
        Poll::Ready(Some(piece.ok_or_else(|| GivenUp.into())))
    }
}
