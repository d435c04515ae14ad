//! Response bodies. Large ones are handed over piece by piece.
//!
//! A carrier copies each piece into the buffer of a connection. A large response in one piece would
//! be in memory twice, for as long as its caller does not read.

use std::io;
use std::task::Poll;

use bytes::{Bytes, BytesMut};
use docent_core::ReplyBody;

use super::compressor::Compressor;
use super::traffic::Ticket;
use super::waiting::{Leaving, Room};

/// The size of a piece in bytes. A smaller response is handed over whole.
pub(crate) const PIECE: usize = 32 << 10;

/// The body of a response. The rare kinds are boxed, because responses are moved often.
#[derive(Debug)]
pub(crate) enum Body {
    None,
    Whole(Bytes),
    Pieces(Box<Pieces>),
    Compressing(Box<Compressing>),
    #[cfg(feature = "docs")]
    Unpacking(Box<super::compressor::Unpacking>),
}

impl Body {
    /// Returns the remaining length, or `None` if it is unknown until everything has been sent.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::None => Some(0),
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Pieces(pieces) => Some(pieces.left as u64),
            Self::Compressing(_) => None,
            #[cfg(feature = "docs")]
            Self::Unpacking(text) => Some(text.length()),
        }
    }

    /// Returns the next piece. `Pending` means that other tasks on this thread should run first and
    /// that the caller may poll again at once. Nothing will wake it.
    pub(crate) fn next(&mut self) -> Poll<Option<io::Result<Bytes>>> {
        match self {
            Self::None => Poll::Ready(None),
            Self::Whole(_) => match std::mem::replace(self, Self::None) {
                Self::Whole(bytes) if !bytes.is_empty() => Poll::Ready(Some(Ok(bytes))),
                _ => Poll::Ready(None),
            },
            Self::Pieces(pieces) => Poll::Ready(pieces.next()),
            Self::Compressing(compressing) => compressing.next(),
            #[cfg(feature = "docs")]
            Self::Unpacking(text) => Poll::Ready(text.next(PIECE)),
        }
    }

    /// Returns the text in one piece, if it has not been divided for its caller. The parts of a
    /// description are copied.
    pub(super) fn text(&self) -> Option<Bytes> {
        match self {
            Self::Whole(bytes) => Some(bytes.clone()),
            Self::Pieces(pieces) => pieces.joined(),
            _ => None,
        }
    }

    /// Marks this body as one that a single caller reads. The exchange lasts, and the room is taken,
    /// until the caller has read all of it.
    pub(super) fn for_one(mut self, room: Room, ticket: Ticket) -> Self {
        if let Self::Pieces(pieces) = &mut self {
            // Others read it too, so it is stored elsewhere anyway.
            pieces.hold(ticket);
            return self;
        }
        self.divided(|bytes| match bytes.try_into_mut() {
            Ok(own) => Source::Own {
                leaving: Leaving::new(own, None, room, ticket.write_timeout()),
                _ticket: ticket,
            },
            Err(bytes) => Source::Shared(Shared::new(bytes, Some(ticket))),
        })
    }

    /// Marks this body as shared by all callers, so that it counts as no memory of its own.
    pub(super) fn for_all(self) -> Self {
        self.divided(|bytes| Source::Shared(Shared::new(bytes, None)))
    }

    fn divided(self, source: impl FnOnce(Bytes) -> Source) -> Self {
        match self {
            Self::Whole(bytes) if bytes.len() > PIECE => Self::Pieces(Box::new(Pieces {
                left: bytes.len(),
                source: source(bytes),
            })),
            body => body,
        }
    }
}

impl From<ReplyBody> for Body {
    fn from(body: ReplyBody) -> Self {
        match body {
            ReplyBody::Whole(mut text) => {
                if text.len() > PIECE {
                    // The text is counted by its length.
                    text.shrink_to_fit();
                }
                Self::Whole(text.into())
            }
            ReplyBody::Parts(parts) => Self::Pieces(Box::new(Pieces {
                left: parts.iter().map(Bytes::len).sum(),
                source: Source::Shared(Shared {
                    parts,
                    ticket: None,
                }),
            })),
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::Whole(bytes)
    }
}

/// A text that is handed over piece by piece.
#[derive(Debug)]
pub(crate) struct Pieces {
    left: usize,
    source: Source,
}

/// The text and its owner. The ticket is dropped when all of it has been read.
#[derive(Debug)]
enum Source {
    Own { leaving: Leaving, _ticket: Ticket },
    Shared(Shared),
}

/// A text that other callers read too. The ticket is dropped when this one has read all of it.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The parts, which follow one after the other.
    parts: [Bytes; 3],
    ticket: Option<Ticket>,
}

impl Shared {
    fn new(bytes: Bytes, ticket: Option<Ticket>) -> Self {
        Self {
            parts: [bytes, Bytes::new(), Bytes::new()],
            ticket,
        }
    }

    /// Returns the next bytes, at most as many as this.
    fn split_to(&mut self, length: usize) -> Option<Bytes> {
        let part = self.parts.iter_mut().find(|part| !part.is_empty())?;
        Some(part.split_to(length.min(part.len())))
    }
}

impl Pieces {
    /// Lets the exchange last until the caller has read all of a text that others read too.
    fn hold(&mut self, for_caller: Ticket) {
        if let Source::Shared(shared) = &mut self.source {
            shared.ticket = Some(for_caller);
        }
    }

    /// Returns all of a text that others read too.
    fn joined(&self) -> Option<Bytes> {
        match &self.source {
            Source::Shared(shared) => Some(shared.parts.concat().into()),
            Source::Own { .. } => None,
        }
    }

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let length = self.left.min(PIECE);
        if length == 0 {
            return None;
        }
        let piece = match &mut self.source {
            Source::Own { leaving, .. } => leaving.split_to(length),
            Source::Shared(shared) => Ok(shared.split_to(length)?),
        };
        self.left -= piece.as_ref().map_or(length, Bytes::len);
        Some(piece)
    }
}

/// A text that is compressed while its caller reads it. Its compressed length is known only at the
/// end.
#[derive(Debug)]
pub(crate) struct Compressing {
    leaving: Leaving,
    /// True if other tasks on this thread should run next, because compressing a piece takes time.
    rests: bool,
    _ticket: Ticket,
}

impl Compressing {
    pub(super) fn new(text: BytesMut, compressor: Compressor, room: Room, ticket: Ticket) -> Self {
        Self {
            leaving: Leaving::new(text, Some(compressor), room, ticket.write_timeout()),
            rests: false,
            _ticket: ticket,
        }
    }

    fn next(&mut self) -> Poll<Option<io::Result<Bytes>>> {
        if std::mem::take(&mut self.rests) {
            return Poll::Pending;
        }
        match self.leaving.compress(PIECE).transpose() {
            // There is no output yet, and an empty piece would end the response.
            Some(Ok(piece)) if piece.is_empty() => Poll::Pending,
            piece => {
                self.rests = true;
                Poll::Ready(piece)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::traffic::Traffic;
    use crate::options::HttpOptions;

    fn traffic() -> std::sync::Arc<Traffic> {
        Traffic::new(&HttpOptions::default())
    }

    /// Reads a compressed response as a carrier does, polling again after each `Pending`. Returns
    /// how often other tasks could run, and the most bytes that came out between two of those
    /// times.
    fn turns_of_others(text: &[u8]) -> (usize, usize) {
        let compressor = Compressor::new(Room::default());
        let (room, ticket) = (Room::default(), traffic().begin());
        let mut body = Compressing::new(BytesMut::from(text), compressor, room, ticket);
        let (mut turns, mut most, mut at_once) = (0, 0, 0);
        loop {
            match body.next() {
                Poll::Ready(Some(piece)) => at_once += piece.expect("its caller reads").len(),
                Poll::Ready(None) => break,
                Poll::Pending => {
                    turns += 1;
                    most = most.max(std::mem::take(&mut at_once));
                }
            }
        }
        (turns, most.max(at_once))
    }

    #[tokio::test]
    async fn only_large_texts_that_others_read_are_taken_out_and_sent_bytes_are_skipped() {
        let parts = |length: usize| {
            let text = Bytes::from(vec![b'x'; length]);
            Body::from(ReplyBody::Parts([
                Bytes::from("head"),
                text,
                Bytes::from("tail"),
            ]))
        };
        let own = || Body::from(Bytes::from(vec![b'x'; PIECE + 1]));
        let for_one = own().for_one(Room::default(), traffic().begin());
        for mut body in [Body::None, parts(PIECE - 8), own(), for_one] {
            let length = body.length();
            assert!(body.take_shared().is_none());
            assert_eq!(body.length(), length);
        }
        assert!(own().for_all().take_shared().is_some());
        let mut body = parts(PIECE);
        let mut shared = body.take_shared().expect("it is large");
        assert_eq!(body.length(), Some(0));
        for (sent, left) in [
            (0, ["head".len(), PIECE, 4]),
            (3, [1, PIECE, 4]),
            (2, [0, PIECE - 1, 4]),
            (PIECE, [0, 0, 3]),
            (3, [0, 0, 0]),
        ] {
            assert!(!shared.is_empty());
            shared.advance(sent);
            assert_eq!(shared.parts().each_ref().map(Bytes::len), left);
        }
        assert!(shared.is_empty());
    }

    #[tokio::test]
    async fn others_have_their_turn_after_each_piece_that_is_compressed() {
        const PIECES: usize = 40;
        let words = (0..).map(|n: u32| n.wrapping_mul(2_654_435_761).to_string());
        let words: Vec<_> = words
            .flat_map(String::into_bytes)
            .take(PIECES * PIECE)
            .collect();
        for text in [vec![b'x'; PIECES * PIECE], words] {
            let (turns, most) = turns_of_others(&text);
            assert!(turns >= PIECES, "{turns}");
            // Pieces of output correspond to pieces of input, apart from what the compressor holds
            // back.
            assert!(most <= 3 * PIECE, "{most}");
        }
    }
}
