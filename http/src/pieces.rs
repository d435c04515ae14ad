//! Response bodies. Large ones are handed over piece by piece.
//!
//! Some carriers copy each piece into the buffer of a connection. A large response in one piece would
//! be in memory twice, for as long as its caller does not read.

use std::io;
use std::task::{Context, Poll};

use bytes::Bytes;
use docent_core::carrier::ReplyBody;

use crate::events::EventStream;
use crate::traffic::{Exchange, Room};
use crate::waiting::OwnText;

/// The size of a piece in bytes for a carrier that copies it. A smaller response is handed over whole.
pub const PIECE_SIZE: usize = 32 << 10;

/// The body of a response. The rare kinds are boxed, because responses are moved often.
#[derive(Debug)]
pub enum Body {
    /// No body.
    None,
    /// A text in one piece.
    Whole(Bytes),
    /// A large text that a single caller reads.
    Own(Box<OwnText>),
    /// A large text that other callers read, too.
    Shared(Box<SharedText>),
    /// A text that is stored compressed, for a caller that needs it plain.
    Unpacking(Box<crate::unpacking::Unpacking>),
    /// The events of a subscription, which are made while they are sent.
    Events(EventStream),
    /// No body: a WebSocket follows the head, with status 101. Only hosts that
    /// [can upgrade](crate::Request::can_upgrade) get it.
    #[cfg(feature = "websocket")]
    WebSocket(Box<crate::WebSocket>),
}

impl Body {
    /// Returns the remaining length; `None` for events, which go on until one side ends them.
    pub fn length(&self) -> Option<usize> {
        Some(match self {
            Self::None => 0,
            Self::Whole(bytes) => bytes.len(),
            Self::Own(text) => text.length(),
            Self::Shared(text) => text.length(),
            Self::Unpacking(text) => text.length(),
            Self::Events(_) => return None,
            #[cfg(feature = "websocket")]
            Self::WebSocket(_) => 0,
        })
    }

    /// Returns the next piece, of at most this many bytes if the body is large. Only for events it may have to wait. Ask
    /// for a piece once the one before has been written.
    ///
    /// # Errors
    /// The caller has read too slowly.
    pub fn poll_piece(
        &mut self,
        cx: &mut Context<'_>,
        max_length: usize,
    ) -> Poll<Option<io::Result<Bytes>>> {
        Poll::Ready(match self {
            Self::None => None,
            Self::Whole(bytes) => {
                let piece = std::mem::take(bytes);
                (!piece.is_empty()).then_some(Ok(piece))
            }
            Self::Own(text) => text.next(max_length),
            Self::Shared(text) => text.next(max_length).map(Ok),
            Self::Unpacking(text) => text.next(PIECE_SIZE),
            Self::Events(events) => return events.poll_piece(cx, max_length),
            #[cfg(feature = "websocket")]
            Self::WebSocket(_) => None,
        })
    }

    /// Adds members to the start of the object that is the shared part of this body. Returns whether it has
    /// one.
    pub(crate) fn add_members(&mut self, members: &str) -> bool {
        let Self::Shared(text) = self else {
            return false;
        };
        let [before, object, _] = &mut text.parts;
        if !object.starts_with(b"{") {
            return false;
        }
        let start = object.split_to(1);
        *before = [before, &start, members.as_bytes()].concat().into();
        true
    }

    /// Returns the text of a body that has not been divided for its caller. The parts of a description
    /// are copied.
    pub(crate) fn text(&self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes.clone(),
            Self::Shared(text) => text.parts.concat().into(),
            _ => Bytes::new(),
        }
    }

    /// Marks this body as one that a single caller reads. The exchange lasts, and the room is taken,
    /// until the caller has read all of it.
    pub(crate) fn for_one(self, room: Room, exchange: Exchange) -> Self {
        match self {
            Self::Whole(bytes) if bytes.len() > PIECE_SIZE => match bytes.try_into_mut() {
                Ok(own) => Self::Own(Box::new(OwnText::new(own, room, exchange))),
                // Others read it too, so it is stored elsewhere anyway.
                Err(bytes) => Self::shared([bytes, Bytes::new(), Bytes::new()], Some(exchange)),
            },
            // Copying a small text takes less than writing its parts one after the other.
            Self::Shared(text) if text.length() <= PIECE_SIZE => {
                Self::Whole(text.parts.concat().into())
            }
            Self::Shared(text) => Self::shared(text.parts, Some(exchange)),
            body => body,
        }
    }

    fn shared(parts: [Bytes; 3], exchange: Option<Exchange>) -> Self {
        Self::Shared(Box::new(SharedText {
            parts,
            _exchange: exchange,
        }))
    }

    /// Marks this body as shared by all callers, so that it counts as no memory of its own.
    pub(crate) fn for_all(self) -> Self {
        match self {
            Self::Whole(bytes) if bytes.len() > PIECE_SIZE => {
                Self::shared([bytes, Bytes::new(), Bytes::new()], None)
            }
            body => body,
        }
    }
}

impl From<ReplyBody> for Body {
    fn from(body: ReplyBody) -> Self {
        match body {
            ReplyBody::Whole(text) => Self::Whole(text.into()),
            ReplyBody::Parts(parts) => Self::shared(parts, None),
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::Whole(bytes)
    }
}

/// A text that other callers read too.
#[derive(Debug)]
pub struct SharedText {
    /// The parts, which follow one after the other.
    parts: [Bytes; 3],
    /// The exchange, which lasts until this caller has read all of the text.
    _exchange: Option<Exchange>,
}

impl SharedText {
    fn length(&self) -> usize {
        self.parts.iter().map(Bytes::len).sum()
    }

    /// Returns the next piece, of at most this many bytes.
    fn next(&mut self, max_length: usize) -> Option<Bytes> {
        let part = self.parts.iter_mut().find(|part| !part.is_empty())?;
        Some(part.split_to(max_length.min(part.len())))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;
    use crate::options::HttpOptions;
    use crate::traffic::Traffic;

    #[test]
    fn a_small_description_is_one_piece_and_a_large_one_is_not_copied() {
        for (length, pieces) in [(PIECE_SIZE - 2, 1), (PIECE_SIZE - 1, 3)] {
            let text = Bytes::from("x".repeat(length));
            let parts = [Bytes::from("<"), text.clone(), Bytes::from(">")];
            let exchange = Traffic::new(&HttpOptions::default()).begin();
            let mut body = Body::from(ReplyBody::Parts(parts)).for_one(Room::default(), exchange);
            assert_eq!(body.length(), Some(length + 2));
            let mut cx = Context::from_waker(Waker::noop());
            let next = || match body.poll_piece(&mut cx, usize::MAX) {
                Poll::Ready(piece) => piece,
                Poll::Pending => panic!("a text is there at once"),
            };
            let sent: Vec<Bytes> = std::iter::from_fn(next)
                .collect::<io::Result<_>>()
                .expect("no caller is too slow");
            assert_eq!(sent.len(), pieces);
            assert_eq!(sent.concat(), [&b"<"[..], &text, b">"].concat());
            let is_stored = sent.iter().any(|piece| piece.as_ptr() == text.as_ptr());
            assert_eq!(is_stored, pieces == 3);
        }
    }
}
