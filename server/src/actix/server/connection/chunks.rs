//! Finds the end of a chunked body.

/// The maximum size of chunk extensions and trailers in a body. They are read and discarded, so
/// nothing else would limit them.
const EXTRAS: usize = 16 << 10;

/// The state of a chunked body. It is as strict as actix-http, which rejects malformed framing: here,
/// a body with malformed framing never ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunks {
    place: Place,
    /// The number of bytes left in the current chunk.
    left: u64,
    /// The number of bytes that extensions and trailers may still have.
    extras: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The position before the first digit of a chunk's size.
    Size,
    MoreSize,
    Space,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    /// The start of a line after the last chunk.
    EndCr,
    EndLf,
    Trailer,
    TrailerLf,
    /// The extensions or trailers are too large.
    TooMuch,
    /// The framing is malformed.
    Broken,
    End,
}

impl Chunks {
    pub(super) fn new() -> Self {
        Self {
            place: Place::Size,
            left: 0,
            extras: EXTRAS,
        }
    }

    /// Returns whether the body has ended.
    pub(super) fn is_over(self) -> bool {
        self.place == Place::End
    }

    /// Advances to the end of the body or of the bytes, and returns how many bytes belong to the
    /// body. If extensions or trailers are too large, overwrites them so that actix-http rejects
    /// the framing.
    pub(super) fn pass(&mut self, bytes: &mut [u8]) -> usize {
        let mut passed = 0;
        while passed < bytes.len() && !self.is_over() {
            if self.place == Place::Broken {
                passed = bytes.len();
            } else if self.place == Place::Data {
                let there = bytes.len() - passed;
                let length = usize::try_from(self.left).unwrap_or(there).min(there);
                self.left -= length as u64;
                passed += length;
                if self.left == 0 {
                    self.place = Place::DataCr;
                }
            } else {
                self.step(&mut bytes[passed]);
                passed += 1;
            }
        }
        passed
    }

    fn step(&mut self, byte: &mut u8) {
        self.place = match (self.place, *byte) {
            (Place::Size | Place::MoreSize, digit) if digit.is_ascii_hexdigit() => self.grow(digit),
            (Place::MoreSize | Place::Space | Place::Extension, b'\r') => Place::SizeLf,
            (Place::MoreSize | Place::Space, b'\t' | b' ') => Place::Space,
            (Place::MoreSize | Place::Space, b';') => Place::Extension,
            (Place::Extension, 0..=8 | 10..=31 | 127) => Place::Broken,
            (Place::Extension, _) => {
                if self.is_too_much() {
                    *byte = 0;
                    Place::TooMuch
                } else {
                    Place::Extension
                }
            }
            (Place::SizeLf, b'\n') if self.left > 0 => Place::Data,
            (Place::SizeLf | Place::TrailerLf, b'\n') => Place::EndCr,
            (Place::DataCr, b'\r') => Place::DataLf,
            (Place::DataLf, b'\n') => Place::Size,
            (Place::EndCr, b'\r') => Place::EndLf,
            (Place::EndLf, b'\n') | (Place::End, _) => Place::End,
            (Place::Trailer, b'\r') => Place::TrailerLf,
            (Place::EndCr | Place::Trailer, _) if self.is_too_much() => {
                *byte = b'\r';
                Place::TooMuch
            }
            (Place::EndCr | Place::Trailer, _) => Place::Trailer,
            (Place::TooMuch, _) => {
                *byte = 0;
                Place::TooMuch
            }
            _ => Place::Broken,
        };
    }

    /// Reads a digit of a chunk's size.
    fn grow(&mut self, digit: u8) -> Place {
        let value = char::from(digit).to_digit(16).map_or(0, u64::from);
        match self.left.checked_mul(16) {
            Some(size) => {
                self.left = size + value;
                Place::MoreSize
            }
            None => Place::Broken,
        }
    }

    fn is_too_much(&mut self) -> bool {
        self.extras = self.extras.saturating_sub(1);
        self.extras == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many bytes belong to the body, and checks that the result does not depend on the
    /// size of the pieces.
    #[track_caller]
    fn passed(text: &str) -> Option<usize> {
        let by_size = |size: usize| {
            let (mut chunks, mut passed) = (Chunks::new(), 0);
            for piece in text.as_bytes().to_vec().chunks_mut(size) {
                let length = piece.len();
                let now = chunks.pass(piece);
                passed += now;
                assert!(now == length || chunks.is_over());
            }
            chunks.is_over().then_some(passed)
        };
        let whole = by_size(text.len());
        assert!(
            (1..text.len()).all(|size| by_size(size) == whole),
            "{text:?}"
        );
        whole
    }

    #[test]
    fn a_body_ends_after_its_last_chunk_and_its_trailer() {
        for (body, ends) in [
            ("0\r\n\r\n", true),
            ("5\r\nhello\r\n0\r\n\r\n", true),
            (
                "1A;name=\"value\"\r\nabcdefghijklmnopqrstuvwxyz\r\n00 ;x\r\n\r\n",
                true,
            ),
            ("2\r\n\r\n\r\n0\r\nTrailer: 1\r\nOther: 2\r\n\r\n", true),
            ("5\r\nhello\r\n0\r\n", false),
            ("5\r\nhello\r\n0\r\nTrailer: 1\r\n", false),
            ("ffffffffffffffff\r\nhello", false),
            ("1ffffffffffffffff\r\nhello\r\n0\r\n\r\n", false),
            ("\r\n\r\n", false),
            ("xyz\r\nhello\r\n0\r\n\r\n", false),
            ("5 6\r\nhello\r\n0\r\n\r\n", false),
            ("5;\u{1}\r\nhello\r\n0\r\n\r\n", false),
            ("5\nhello\r\n0\r\n\r\n", false),
            ("5\r\nhello!\n0\r\n\r\n", false),
            ("5\r\nhello\r0\r\n\r\n", false),
            ("0\r\nTrailer: 1\rx\r\n\r\n", false),
            ("0\r\n\rx\r\n\r\n", false),
        ] {
            let followed = format!("{body}{}", if ends { "GET / HTTP/1.1" } else { "" });
            assert_eq!(passed(&followed), ends.then_some(body.len()), "{body:?}");
        }
    }

    #[test]
    fn extensions_and_trailers_without_end_become_a_framing_that_is_wrong() {
        for beginning in ["5;", "5\r\nhello\r\n0\r\nTrailer: "] {
            let mut bytes = beginning.as_bytes().to_vec();
            bytes.resize(bytes.len() + EXTRAS - 100, b'x');
            let fits = bytes.clone();
            let mut chunks = Chunks::new();
            chunks.pass(&mut bytes);
            assert_eq!(bytes, fits);
            chunks.pass(&mut [b'x'; 200]);
            let mut more = [b'x'; 10];
            chunks.pass(&mut more);
            assert_eq!(more, [0; 10]);
            assert!(!chunks.is_over());
        }
    }
}
