//! The bodies of responses. Large ones are handed over piece by piece.
//!
//! A carrier copies what it gets into the buffer of a connection. A large answer in one piece would be
//! in memory twice, and would stay there for as long as its caller does not read.

use std::io;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;

use super::traffic::Ticket;
use super::waiting::{GivenUp, Parcel, Waiting};

/// What is handed over at once, in bytes. Smaller answers are one piece.
pub(crate) const PIECE: usize = 32 << 10;

/// The body of a response.
#[derive(Debug)]
pub(crate) enum Body {
    None,
    Whole(Bytes),
    Pieces(Pieces),
    Compressing(Compressing),
    #[cfg(feature = "docs")]
    Unpacking(super::compressor::Unpacking),
}

impl Body {
    /// The length of what is left; none where that is not known before all of it has been sent.
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

    /// The next piece. `Pending` means that it is the turn of others on this thread, and that this may
    /// be asked again at once; it does not wait for anything.
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

    /// The same body, made for one caller: it is counted as waiting, and the exchange lasts until all
    /// of it has been taken.
    pub(super) fn for_one(self, waiting: &Arc<Waiting>, ticket: Ticket) -> Self {
        self.divided(|bytes| match bytes.try_into_mut() {
            Ok(own) => Source::Own {
                parcel: Parcel::leaving(waiting, own),
                _ticket: ticket,
            },
            // It is stored elsewhere anyway.
            Err(bytes) => Source::Shared {
                bytes,
                _ticket: Some(ticket),
            },
        })
    }

    /// The same body, which is one for all callers and takes no memory of its own.
    pub(super) fn for_all(self) -> Self {
        self.divided(|bytes| Source::Shared {
            bytes,
            _ticket: None,
        })
    }

    fn divided(self, source: impl FnOnce(Bytes) -> Source) -> Self {
        match self {
            Self::Whole(bytes) if bytes.len() > PIECE => Self::Pieces(Pieces {
                left: bytes.len(),
                source: source(bytes),
            }),
            body => body,
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

/// Where it waits. A ticket is given back when all of it has been taken.
#[derive(Debug)]
enum Source {
    Own {
        parcel: Parcel,
        _ticket: Ticket,
    },
    Shared {
        bytes: Bytes,
        _ticket: Option<Ticket>,
    },
}

impl Pieces {
    fn next(&mut self) -> Option<io::Result<Bytes>> {
        let length = self.left.min(PIECE);
        if length == 0 {
            return None;
        }
        self.left -= length;
        let piece = match &mut self.source {
            Source::Own { parcel, .. } => parcel.split_to(length),
            Source::Shared { bytes, .. } => Some(bytes.split_to(length)),
        };
        Some(piece.ok_or_else(|| io::Error::other(GivenUp)))
    }
}

/// A text that is compressed while its caller takes it. How long it becomes is known when it has been
/// sent.
#[derive(Debug)]
pub(crate) struct Compressing {
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

    fn next(&mut self) -> Poll<Option<io::Result<Bytes>>> {
        if std::mem::take(&mut self.rests) {
            return Poll::Pending;
        }
        match self.parcel.compress(PIECE).transpose() {
            // Nothing has come out yet, and an empty piece would end the answer.
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

    /// Takes a compressed answer as a carrier does: until it has to wait, again and again. Gives how
    /// often others had their turn, and the most bytes that came out between two of those times.
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
            // What comes out together went in together, but for what a coder holds back.
            assert!(most <= 3 * PIECE, "{most}");
        }
    }
}
