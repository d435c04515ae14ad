//! Decompresses a text piece by piece.
//!
//! Pages of the reference are kept compressed. The few clients without support for that get them in
//! small pieces.

use std::io::{self, Cursor, Read};

use bytes::Bytes;
use flate2::bufread::GzDecoder;

/// A text that is stored compressed and decompressed while the client reads it. Otherwise a large
/// text would be in memory once for each client that stops reading.
#[derive(Debug)]
pub struct Unpacking {
    decoder: GzDecoder<Cursor<Bytes>>,
    left: usize,
}

impl Unpacking {
    /// Creates a reader for the text of this length from its compressed bytes.
    #[cfg(feature = "docs")]
    pub(crate) fn new(compressed: Bytes, length: usize) -> Self {
        Self {
            decoder: GzDecoder::new(Cursor::new(compressed)),
            left: length,
        }
    }

    pub(crate) fn length(&self) -> usize {
        self.left
    }

    /// Returns the next piece, of at most this many bytes, or `None` at the end.
    pub(crate) fn next(&mut self, max_length: usize) -> Option<io::Result<Bytes>> {
        if self.left == 0 {
            return None;
        }
        let mut piece = vec![0; self.left.min(max_length)];
        self.left -= piece.len();
        Some(self.decoder.read_exact(&mut piece).map(|()| piece.into()))
    }
}
