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
use super::waiting::{GivenUp, Parcel};

/// What is handed over at once, in bytes. Smaller answers are one piece.
pub(crate) const PIECE: usize = 32 << 10;

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

/// Returns the same service with a runtime.
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

/// An answer that is compressed while its caller takes it. How long it becomes is known when it has
/// been sent.
pub(super) struct Compressing {
    parcel: Parcel,
    /// Whether it is the turn of others on this thread: compressing a piece takes its time.
    rests: bool,
    _ticket: Ticket,
}

impl Compressing {
    pub(super) fn new(parcel: Parcel, ticket: Ticket) -> Self {
        Self {
            parcel,
            rests: false,
            _ticket: ticket,
        }
    }
}

impl MessageBody for Compressing {
    type Error = std::io::Error;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = &mut *self;
        if !std::mem::take(&mut this.rests) {
            match this.parcel.compress(PIECE).transpose() {
                // Nothing has come out yet, and an empty piece would end the answer.
                Some(Ok(piece)) if piece.is_empty() => {}
                piece => {
                    this.rests = true;
                    return Poll::Ready(piece);
                }
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use bytes::BytesMut;

    use super::*;
    use crate::contract::traffic::Traffic;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes a compressed answer as actix-http does: until it has to wait, again and again. Gives how
    /// often others had their turn, and the most bytes that came out between two of those times.
    fn turns_of_others(text: &[u8]) -> (usize, usize) {
        let traffic = Traffic::new(1 << 30);
        let parcel = Parcel::compressing(traffic.waiting(), BytesMut::from(text));
        let mut body = Compressing::new(parcel.expect("there is room"), traffic.begin());
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        let (mut turns, mut most, mut at_once) = (0, 0, 0);
        loop {
            match Pin::new(&mut body).poll_next(&mut cx) {
                Poll::Ready(Some(piece)) => at_once += piece.expect("it need not make way").len(),
                Poll::Ready(None) => break,
                Poll::Pending => {
                    turns += 1;
                    most = most.max(std::mem::take(&mut at_once));
                    assert_eq!(
                        count.0.load(Ordering::Relaxed),
                        turns,
                        "it goes on by itself"
                    );
                }
            }
        }
        (turns, most.max(at_once))
    }

    #[test]
    fn others_have_their_turn_after_each_piece_that_is_compressed() {
        const PIECES: usize = 40;
        let words = (0..).map(|n: u32| n.wrapping_mul(2_654_435_761).to_string());
        let words: Vec<_> = words
            .flat_map(String::into_bytes)
            .take(PIECES * PIECE)
            .collect();
        for text in [vec![b'x'; PIECES * PIECE], words] {
            let (turns, most) = turns_of_others(&text);
            assert!(turns >= PIECES, "{turns}");
            // What comes out together went in together, but for what a coder holds back.
            assert!(most <= 3 * PIECE, "{most}");
        }
    }
}
