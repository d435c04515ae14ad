//! Response bodies. Large ones are handed over piece by piece.
//!
//! A carrier copies each piece into the buffer of a connection. A large response in one piece would
//! be in memory twice, for as long as its caller does not read.

use std::io;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use docent_core::ReplyBody;

use super::traffic::Ticket;
use super::waiting::{GivenUp, Parcel, Waiting};

/// The size of a piece in bytes. A smaller response is handed over whole.
pub(crate) const PIECE: usize = 32 << 10;

/// How much of a text that all callers share is handed over at once, in bytes. A carrier copies it, and
/// up to 4 KiB are copied with wide registers: 250 kB take 95,000 instructions, and 300,000 in larger
/// pieces.
const SHARED_PIECE: usize = 4_000;

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

    /// Counts this body as buffered for one caller. The exchange lasts until the caller has read
    /// all of it.
    pub(super) fn for_one(mut self, waiting: &Arc<Waiting>, ticket: Ticket) -> Self {
        if let Self::Pieces(pieces) = &mut self {
            // Others read it too, so it is stored elsewhere anyway.
            pieces.hold(ticket);
            return self;
        }
        self.divided(|bytes| match bytes.try_into_mut() {
            Ok(own) => Source::Own {
                parcel: Parcel::leaving(waiting, own),
                _ticket: ticket,
            },
            Err(bytes) => Source::shared(bytes, Some(ticket)),
        })
    }

    /// Marks this body as shared by all callers, so that it counts as no memory of its own.
    pub(super) fn for_all(self) -> Self {
        self.divided(|bytes| Source::shared(bytes, None))
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
            ReplyBody::Whole(text) => Self::Whole(text.into()),
            ReplyBody::Parts(parts) => Self::Pieces(Box::new(Pieces {
                left: parts.iter().map(Bytes::len).sum(),
                source: Source::Shared {
                    parts,
                    ticket: None,
                },
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

/// Where the text is stored. The ticket is dropped when all of it has been read.
#[derive(Debug)]
enum Source {
    Own {
        parcel: Parcel,
        _ticket: Ticket,
    },
    Shared {
        /// What follows one after the other.
        parts: [Bytes; 3],
        ticket: Option<Ticket>,
    },
}

impl Source {
    fn shared(bytes: Bytes, ticket: Option<Ticket>) -> Self {
        Self::Shared {
            parts: [bytes, Bytes::new(), Bytes::new()],
            ticket,
        }
    }
}

impl Pieces {
    /// Lets the exchange last until the caller has read all of a text that others read too.
    fn hold(&mut self, for_caller: Ticket) {
        if let Source::Shared { ticket, .. } = &mut self.source {
            *ticket = Some(for_caller);
        }
    }

    /// Returns all of a text that others read too.
    fn joined(&self) -> Option<Bytes> {
        match &self.source {
            Source::Shared { parts, .. } => Some(parts.concat().into()),
            Source::Own { .. } => None,
        }
    }

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let length = self.left.min(PIECE);
        if length == 0 {
            return None;
        }
        let piece = match &mut self.source {
            Source::Own { parcel, .. } => parcel.split_to(length),
            Source::Shared { parts, .. } => {
                let part = parts.iter_mut().find(|part| !part.is_empty())?;
                Some(part.split_to(length.min(part.len()).min(SHARED_PIECE)))
            }
        };
        self.left -= piece.as_ref().map_or(length, Bytes::len);
        Some(piece.ok_or_else(|| io::Error::other(GivenUp)))
    }
}

/// A text that is compressed while its caller reads it. Its compressed length is known only at the
/// end.
#[derive(Debug)]
pub(crate) struct Compressing {
    parcel: Parcel,
    /// Whether to let other tasks on this thread run, because compressing a piece takes time.
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

    fn next(&mut self) -> Poll<Option<io::Result<Bytes>>> {
        if std::mem::take(&mut self.rests) {
            return Poll::Pending;
        }
        match self.parcel.compress(PIECE).transpose() {
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
    use bytes::BytesMut;

    use super::*;
    use crate::contract::traffic::Traffic;

    /// Reads a compressed response as a carrier does, polling again after each `Pending`. Returns
    /// how often other tasks could run, and the most bytes that came out between two of those
    /// times.
    fn turns_of_others(text: &[u8]) -> (usize, usize) {
        let traffic = Traffic::new(1 << 30);
        let parcel = Parcel::compressing(traffic.waiting(), BytesMut::from(text));
        let mut body = Compressing::new(parcel.expect("there is room"), traffic.begin());
        let (mut turns, mut most, mut at_once) = (0, 0, 0);
        loop {
            match body.next() {
                Poll::Ready(Some(piece)) => at_once += piece.expect("it need not make way").len(),
                Poll::Ready(None) => break,
                Poll::Pending => {
                    turns += 1;
                    most = most.max(std::mem::take(&mut at_once));
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
            // Pieces of output correspond to pieces of input, apart from what the compressor holds
            // back.
            assert!(most <= 3 * PIECE, "{most}");
        }
    }
}
