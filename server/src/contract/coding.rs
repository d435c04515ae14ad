//! The content codings of responses (RFC 9110, section 8.4), each with its own validator.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use flate2::Compression;

use super::cache::{Audience, Hash, Tag};
use super::compressor::{self, Compressor, gzip};
use super::headers::Headers;
use super::pieces::Body;
use super::quality::{Quality, weighed};
use super::request::Request;
use super::waiting::Waiting;

/// The smallest body that is compressed. For a smaller one, the header fields of a coding cost more
/// than it saves.
const WORTHWHILE: usize = 256;

/// The largest body that is compressed in one piece. A larger one takes long enough to delay the
/// worker's other connections, and memory that must be counted.
const AT_ONCE: usize = 64 << 10;

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
}

impl Coding {
    /// Returns the coding that the client prefers. The body is not compressed without
    /// `Accept-Encoding`, or if the client rejects every coding: a readable response is better than
    /// none (section 12.5.3).
    pub(crate) fn preferred(headers: &Headers) -> Self {
        let gzip = wish(headers, "gzip").unwrap_or(0);
        if gzip > 0 && gzip >= wish(headers, "identity").unwrap_or(0) {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// Returns the coding for a result of this size.
    ///
    /// A response for a single caller is not compressed: it may contain a secret next to text that
    /// someone else chose, and its compressed size would reveal the secret (the BREACH attack).
    ///
    /// Large responses are not compressed for HTTP/1.0 either, where the end of a body of unknown
    /// length looks like a broken connection.
    pub(super) fn for_result(
        request: &Request<'_>,
        headers: &Headers,
        size: usize,
        audience: Audience,
    ) -> Self {
        let sendable = size <= AT_ONCE || request.takes_any_length;
        if audience == Audience::One || size < WORTHWHILE || !sendable {
            Self::Identity
        } else {
            Self::preferred(headers)
        }
    }

    /// Returns whether a caller accepts an uncompressed response, which is the default.
    pub(super) fn takes_identity(headers: &Headers) -> bool {
        let wish = wish(headers, "identity").or_else(|| wish(headers, "*"));
        wish.is_none_or(|wish| wish > 0)
    }

    /// Returns the validator of a text in this coding, from the text's hash.
    pub(crate) fn tag(self, hash: &Hash) -> Tag {
        match self {
            Self::Identity => Tag::new(hash, ""),
            Self::Gzip => Tag::new(hash, "-gzip"),
        }
    }
}

/// Returns the quality of a coding, if the caller names it.
fn wish(headers: &Headers, coding: &str) -> Option<Quality> {
    let named = weighed(headers, "accept-encoding");
    let named = named.filter(|(name, _)| name.eq_ignore_ascii_case(coding));
    named.map(|(_, quality)| quality).max()
}

/// A result compressed with gzip.
pub(super) enum Gzipped {
    /// A small result, or one that is also stored for others.
    Whole(Bytes),
    /// A result that is compressed while its caller reads it.
    Leaving(BytesMut, Compressor),
}

impl Gzipped {
    /// Compresses a result for one response: fast rather than small. Returns the text if there is
    /// no room for compression.
    pub(super) fn once(text: Bytes, waiting: &Waiting) -> Result<Self, Bytes> {
        if text.len() <= AT_ONCE {
            let compressed = gzip(&text, Compression::fast()).map_err(|_| text)?;
            return Ok(Self::Whole(compressed.into()));
        }
        let Some(room) = waiting.try_take(compressor::SIZE) else {
            return Err(text);
        };
        Ok(Self::Leaving(text.try_into_mut()?, Compressor::new(room)))
    }
}

/// Compressed descriptions. A description never changes, so only its first request pays for the
/// compression.
#[derive(Debug, Default)]
pub(crate) struct Descriptions {
    kept: Mutex<HashMap<String, Kept>>,
    /// True while a description is being compressed. Other callers meanwhile get it uncompressed.
    working: AtomicBool,
}

/// The values that are computed once for a description.
#[derive(Debug)]
struct Kept {
    /// The hash of the text.
    hash: Hash,
    /// The compressed text, if a caller has requested it.
    compressed: Option<Bytes>,
}

impl Descriptions {
    /// Returns the hash of the description that a reserved procedure returns.
    pub(super) fn hash(&self, procedure: &str, hash: impl FnOnce() -> Hash) -> Hash {
        if let Some(kept) = self.kept().get(procedure) {
            return kept.hash;
        }
        // The lock is not held meanwhile, so two callers at the same time may compute the same hash.
        let hash = hash();
        let kept = Kept {
            hash,
            compressed: None,
        };
        self.kept().entry(procedure.to_owned()).or_insert(kept);
        hash
    }

    /// Returns the compressed description that a reserved procedure returns, or `None` if it cannot
    /// be compressed now. There is one for each reserved procedure, so the memory is bounded.
    pub(super) async fn gzip(
        self: &Arc<Self>,
        procedure: String,
        body: &Body,
        waiting: &Waiting,
    ) -> Option<Bytes> {
        let kept = |kept: &Kept| kept.compressed.clone();
        if let Some(kept) = self.kept().get(&procedure).and_then(kept) {
            return Some(kept);
        }
        let text = body.text()?;
        if text.len() <= AT_ONCE {
            return self.compress(&procedure, &text);
        }
        let work = Work::begin(self)?;
        // Room for the text, its compressed form and the compressor.
        let size = text.len().saturating_mul(2);
        let room = waiting.try_take(size.saturating_add(compressor::SIZE))?;
        // Runs to its end even if its request is gone.
        let compress = move || {
            let compressed = work.0.compress(&procedure, &text);
            drop((text, room, work));
            compressed
        };
        tokio::task::spawn_blocking(compress).await.ok()?
    }

    fn compress(&self, procedure: &str, text: &[u8]) -> Option<Bytes> {
        let compressed = Bytes::from(gzip(text, Compression::best()).ok()?);
        if let Some(kept) = self.kept().get_mut(procedure) {
            kept.compressed = Some(compressed.clone());
        }
        Some(compressed)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to compress a description. Only one task has it at a time.
struct Work(Arc<Descriptions>);

impl Work {
    fn begin(descriptions: &Arc<Descriptions>) -> Option<Self> {
        let taken = descriptions.working.swap(true, Ordering::Acquire);
        (!taken).then(|| Self(Arc::clone(descriptions)))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.working.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_hashed_once() {
        let descriptions = Descriptions::default();
        let [first, other] = [b"first", b"other"].map(|text| Hash::of(text));
        assert_eq!(descriptions.hash("rpc.describe", || first), first);
        let again = || unreachable!("the hash is kept");
        assert_eq!(descriptions.hash("rpc.describe", again), first);
        assert_eq!(descriptions.hash("rpc.discover", || other), other);
    }
}
