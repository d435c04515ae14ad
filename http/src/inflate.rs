//! Decodes compressed bodies, for services that accept them.
//!
//! A small body can decode to a huge one, so decoding stops at the limit on bodies. Responses are
//! compressed in [`coding`](crate::coding).

use std::io::Read;

use bytes::Bytes;
use flate2::bufread::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

use crate::upload::UploadError;

/// The supported codings (RFC 9110, section 8.4.1), in the form of `Accept-Encoding`.
pub(crate) const ACCEPTED_CODINGS: &str = "gzip, deflate, identity";

/// The maximum number of members in a gzip body. Each costs some work, even an empty one.
const MAX_MEMBERS: usize = 100;

/// The content coding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyCoding {
    Identity,
    Gzip,
    /// The zlib format, as RFC 9110 requires.
    Deflate,
}

impl BodyCoding {
    /// Parses `Content-Encoding`. Returns `None` for an unknown coding, and for more than one.
    pub(crate) fn parse(field: &[u8]) -> Option<Self> {
        match &*field.to_ascii_lowercase() {
            b"identity" => Some(Self::Identity),
            b"gzip" | b"x-gzip" => Some(Self::Gzip),
            b"deflate" => Some(Self::Deflate),
            _ => None,
        }
    }

    /// Returns the maximum size of the coded form of a body of at most `limit` bytes. Coding makes
    /// an incompressible body slightly longer.
    pub(crate) fn max_coded_bytes(self, limit: usize) -> usize {
        match self {
            Self::Identity => limit,
            Self::Gzip | Self::Deflate => limit.saturating_add(limit / 64).saturating_add(1 << 10),
        }
    }

    /// Decodes a body if it has at most `limit` bytes. Stops decoding at the limit.
    #[inline]
    pub(crate) fn decode(self, coded: Bytes, limit: usize) -> Result<Bytes, UploadError> {
        match self {
            Self::Identity => Ok(coded),
            Self::Gzip => gunzip(&coded, limit),
            Self::Deflate => inflate(&coded, limit),
        }
    }
}

/// Decodes RFC 1952: one or more members. It is not inlined, because bodies without a coding would pay
/// for its kilobytes of stack, too.
#[inline(never)]
fn gunzip(mut coded: &[u8], limit: usize) -> Result<Bytes, UploadError> {
    let mut decoded = Vec::new();
    for _ in 0..MAX_MEMBERS {
        let room = (limit - decoded.len()) as u64 + 1;
        GzDecoder::new(&mut coded)
            .take(room)
            .read_to_end(&mut decoded)
            .map_err(|_| UploadError::Miscoded)?;
        if decoded.len() > limit {
            return Err(UploadError::TooLarge);
        }
        if coded.is_empty() {
            return Ok(decoded.into());
        }
    }
    Err(UploadError::Miscoded)
}

/// Decodes RFC 1950 step by step, because the usual reader accepts a truncated stream as complete.
#[inline(never)]
fn inflate(coded: &[u8], limit: usize) -> Result<Bytes, UploadError> {
    const DECODED_PER_STEP: usize = 32 << 10;
    let mut stream = Decompress::new(true);
    let mut decoded = Vec::new();
    let mut read = 0;
    loop {
        decoded.reserve(DECODED_PER_STEP);
        let before = (read, decoded.len());
        let status = stream
            .decompress_vec(&coded[read..], &mut decoded, FlushDecompress::None)
            .map_err(|_| UploadError::Miscoded)?;
        read = usize::try_from(stream.total_in()).map_err(|_| UploadError::TooLarge)?;
        if decoded.len() > limit {
            return Err(UploadError::TooLarge);
        }
        match status {
            Status::StreamEnd if read == coded.len() => return Ok(decoded.into()),
            Status::Ok | Status::BufError if (read, decoded.len()) != before => {}
            _ => return Err(UploadError::Miscoded),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;
    use crate::coding;

    const LIMIT: usize = 100_000;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        coding::gzip(plain, Compression::best()).to_vec()
    }

    fn zlib(plain: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).expect("memory");
        encoder.finish().expect("memory")
    }

    fn decode(coding: BodyCoding, coded: &[u8]) -> Result<Bytes, UploadError> {
        coding.decode(Bytes::copy_from_slice(coded), LIMIT)
    }

    /// Returns text that hardly repeats itself.
    fn text() -> Vec<u8> {
        (0..9_000_u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_string())
            .collect::<String>()
            .into_bytes()
    }

    #[test]
    fn a_coded_body_is_decoded() {
        for plain in [text(), b"{}".to_vec(), Vec::new()] {
            for (coding, coded) in [
                (BodyCoding::Gzip, gzip(&plain)),
                (BodyCoding::Deflate, zlib(&plain)),
                (BodyCoding::Identity, plain.clone()),
            ] {
                assert_eq!(decode(coding, &coded).as_deref(), Ok(&*plain), "{coding:?}");
            }
        }
    }

    #[test]
    fn a_body_at_the_limit_is_taken_and_one_byte_more_is_too_large() {
        let at_limit = vec![b' '; LIMIT];
        let over_limit = vec![b' '; LIMIT + 1];
        for (coding, encode) in [
            (BodyCoding::Gzip, gzip as fn(&[u8]) -> _),
            (BodyCoding::Deflate, zlib),
        ] {
            assert_eq!(
                decode(coding, &encode(&at_limit)).as_deref(),
                Ok(&*at_limit)
            );
            assert_eq!(
                decode(coding, &encode(&over_limit)),
                Err(UploadError::TooLarge)
            );
            let far_over = vec![b' '; 50 * LIMIT];
            assert_eq!(
                decode(coding, &encode(&far_over)),
                Err(UploadError::TooLarge)
            );
        }
    }

    #[test]
    fn a_truncated_changed_or_extended_stream_is_rejected() {
        let plain = text();
        for (coding, coded) in [
            (BodyCoding::Gzip, gzip(&plain)),
            (BodyCoding::Deflate, zlib(&plain)),
        ] {
            for end in (0..coded.len()).step_by(997).chain([coded.len() - 1]) {
                let cut = decode(coding, &coded[..end]);
                assert_eq!(cut, Err(UploadError::Miscoded), "{coding:?} {end}");
            }
            // The checksums are at the end.
            for place in [0, 1, coded.len() / 2, coded.len() - 5, coded.len() - 1] {
                let mut changed = coded.clone();
                changed[place] ^= 0x55;
                let changed = decode(coding, &changed);
                assert_eq!(changed, Err(UploadError::Miscoded), "{coding:?} {place}");
            }
            let continued = [&*coded, b"x"].concat();
            assert_eq!(decode(coding, &continued), Err(UploadError::Miscoded));
            assert_eq!(decode(coding, &plain), Err(UploadError::Miscoded));
        }
    }

    #[test]
    fn consecutive_gzip_members_are_one_body_up_to_a_limit() {
        let members = |count| gzip(b"ab").repeat(count);
        let decoded = decode(BodyCoding::Gzip, &members(MAX_MEMBERS));
        assert_eq!(decoded.as_deref(), Ok(&*b"ab".repeat(MAX_MEMBERS)));
        assert_eq!(
            decode(BodyCoding::Gzip, &members(MAX_MEMBERS + 1)),
            Err(UploadError::Miscoded)
        );
        let halves = [gzip(&vec![b' '; LIMIT]), gzip(b" ")].concat();
        assert_eq!(
            decode(BodyCoding::Gzip, &halves),
            Err(UploadError::TooLarge)
        );
    }
}
