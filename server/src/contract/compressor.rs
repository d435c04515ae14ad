//! Compresses a text piece by piece.

use std::io::{self, Write};
#[cfg(feature = "docs")]
use std::io::{Cursor, Read};

use bytes::Bytes;
use flate2::Compression;
#[cfg(feature = "docs")]
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::waiting::Room;

/// The memory of a compressor, in bytes, with any implementation of `flate2`: 352 or 403 KiB were
/// measured, plus compressed output that has not been read yet.
pub(super) const SIZE: usize = 480 << 10;

/// Compresses a response while it is sent: fast rather than small. The output depends only on the
/// text and on the sizes of its pieces.
#[derive(Debug)]
pub(super) struct Compressor {
    encoder: GzEncoder<Vec<u8>>,
    _room: Room,
}

impl Compressor {
    /// Creates a compressor that takes this room.
    pub(super) fn new(room: Room) -> Self {
        Self {
            encoder: GzEncoder::new(Vec::new(), Compression::fast()),
            _room: room,
        }
    }

    /// Compresses more of the text and returns the output so far, which may be empty.
    pub(super) fn compress(&mut self, text: &[u8]) -> io::Result<Bytes> {
        self.encoder.write_all(text)?;
        Ok(std::mem::take(self.encoder.get_mut()).into())
    }

    /// Returns the output at the end of the text.
    pub(super) fn finish(self) -> io::Result<Bytes> {
        self.encoder.finish().map(Bytes::from)
    }
}

/// Compresses a whole text.
pub(crate) fn gzip(text: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(text)?;
    encoder.finish()
}

/// A text that is stored compressed and decompressed while the client reads it. Otherwise a large
/// text would be in memory once for each client that stops reading.
#[cfg(feature = "docs")]
#[derive(Debug)]
pub(crate) struct Unpacking {
    decoder: GzDecoder<Cursor<Bytes>>,
    left: usize,
}

#[cfg(feature = "docs")]
impl Unpacking {
    /// Creates a reader for the text of this length from its compressed bytes.
    pub(crate) fn new(compressed: Bytes, length: usize) -> Self {
        Self {
            decoder: GzDecoder::new(Cursor::new(compressed)),
            left: length,
        }
    }

    pub(super) fn length(&self) -> u64 {
        self.left as u64
    }

    /// Returns the next piece, of at most this many bytes, or `None` at the end.
    pub(super) fn next(&mut self, most: usize) -> Option<io::Result<Bytes>> {
        if self.left == 0 {
            return None;
        }
        let mut piece = vec![0; self.left.min(most)];
        self.left -= piece.len();
        Some(self.decoder.read_exact(&mut piece).map(|()| piece.into()))
    }
}
