//! The content codings of responses (RFC 9110, section 8.4), each with its own validator.
//!
//! Compressed texts have validators of their own, so that a cache never mixes the two. Bodies of
//! requests are decoded in `inflate`.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::OnceCell;

use crate::cache::{Audience, Hash, Tag};
use crate::headers::Headers;
use crate::pieces::Body;
use crate::quality::{Quality, weighed};
use crate::waiting::lock;

/// The smallest body that is compressed. For a smaller one, the header fields of a coding cost more
/// than it saves.
const MIN_COMPRESSED: usize = 256;

/// The largest text that a worker compresses itself. A larger one takes long enough to delay its other
/// connections.
const MAX_COMPRESSED_BY_WORKER: usize = 64 << 10;

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
        let gzip = requested_quality(headers, "gzip").unwrap_or(0);
        if gzip > 0 && gzip >= requested_quality(headers, "identity").unwrap_or(0) {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// Returns the coding for a result of this size.
    ///
    /// A response for a single caller is not compressed: it may contain a secret next to text that
    /// someone else chose, and its compressed size would reveal the secret (the BREACH attack).
    pub(crate) fn for_result(headers: &Headers, size: usize, audience: Audience) -> Self {
        if audience == Audience::One || size < MIN_COMPRESSED {
            Self::Identity
        } else {
            Self::preferred(headers)
        }
    }

    /// Returns the validator of a text in this coding, from the text's hash.
    pub(crate) fn tag(self, hash: &Hash) -> Tag {
        match self {
            Self::Identity => Tag::new(hash, ""),
            Self::Gzip => Tag::new(hash, "-gzip"),
        }
    }
}

/// Returns the tag of this hash that the caller names, in any coding.
pub(crate) fn named_tag(headers: &Headers, hash: &Hash) -> Option<Tag> {
    [Coding::Identity, Coding::Gzip]
        .into_iter()
        .map(|coding| coding.tag(hash))
        .find(|tag| tag.is_named(headers))
}

/// Returns the quality of a coding, if the caller names it.
fn requested_quality(headers: &Headers, coding: &str) -> Option<Quality> {
    weighed(headers, "accept-encoding")
        .filter(|(name, _)| name.eq_ignore_ascii_case(coding))
        .map(|(_, quality)| quality)
        .max()
}

/// Compresses a text with gzip. A large one is compressed on another thread, so that the worker can
/// answer calls. Returns `None` if the runtime ends.
pub(crate) async fn compress(text: Bytes, level: Compression) -> Option<Bytes> {
    if text.len() <= MAX_COMPRESSED_BY_WORKER {
        return Some(gzip(&text, level));
    }
    tokio::task::spawn_blocking(move || gzip(&text, level))
        .await
        .ok()
}

/// Compresses a text with gzip.
pub(crate) fn gzip(text: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(text);
    encoder.finish().unwrap_or_default().into()
}

/// The descriptions that have been requested, by the reserved procedure that returns them.
#[derive(Debug, Default)]
pub(crate) struct Descriptions(Mutex<HashMap<String, Arc<KnownText>>>);

/// A text that never changes, so only its first requests pay for its hash and its compression.
#[derive(Debug)]
pub(crate) struct KnownText {
    pub(crate) hash: Hash,
    compressed: OnceCell<Bytes>,
}

impl Descriptions {
    /// Returns the description that a reserved procedure returns. There is one for each such procedure,
    /// so the memory is bounded.
    pub(crate) fn get(&self, procedure: &str, body: &Body) -> Arc<KnownText> {
        let mut known = lock(&self.0);
        if let Some(known) = known.get(procedure) {
            return Arc::clone(known);
        }
        let text = Arc::new(KnownText {
            hash: Hash::new(&body.text()),
            compressed: OnceCell::new(),
        });
        known.insert(procedure.to_owned(), Arc::clone(&text));
        text
    }
}

impl KnownText {
    /// Returns the compressed form of this text.
    pub(crate) async fn gzip(&self, body: &Body) -> Option<Bytes> {
        self.compressed
            .get_or_try_init(async || compress(body.text(), Compression::best()).await.ok_or(()))
            .await
            .ok()
            .cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_description_is_hashed_and_compressed_once() {
        let descriptions = Descriptions::default();
        let body = |text: &str| Body::Whole(text.to_owned().into());
        let first = descriptions.get("rpc.describe", &body("first"));
        assert_eq!(first.hash, Hash::new(b"first"));
        let compressed = first.gzip(&body("first")).await;
        // The text of the first request counts.
        let again = descriptions.get("rpc.describe", &body("again"));
        assert_eq!(again.hash, first.hash);
        assert_eq!(again.gzip(&body("again")).await, compressed);
        let other = descriptions.get("rpc.discover", &body("other"));
        assert_eq!(other.hash, Hash::new(b"other"));
    }
}
