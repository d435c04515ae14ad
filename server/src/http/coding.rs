//! The codings in which an answer can be sent (RFC 9110, section 8.4), each with its own validator.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actix_web::HttpRequest;
use actix_web::http::header::{self, AcceptEncoding, Encoding, EntityTag, Header};
use actix_web::web;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// What is smaller gains less than the headers of a coding cost.
const WORTHWHILE: usize = 256;

/// What is larger takes long enough to hold up the other connections of a worker.
const AT_ONCE: usize = 64 << 10;

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
}

impl Coding {
    /// The coding that a caller prefers. Who does not speak of codings gets none; nor does who
    /// refuses all that there are, since an answer that can be read is better than none
    /// (section 12.5.3).
    pub(crate) fn preferred(request: &HttpRequest) -> Self {
        let offered = [Encoding::gzip(), Encoding::identity()];
        let taken = AcceptEncoding::parse(request).ok();
        let chosen = taken.and_then(|taken| taken.negotiate(offered.iter()));
        let asked = request.headers().contains_key(header::ACCEPT_ENCODING);
        if asked && chosen == Some(Encoding::gzip()) {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// The coding for a result of this size.
    ///
    /// What is meant for one caller stays as it is: it can hold a secret beside text that somebody
    /// else chose, and then its compressed size tells about the secret (the BREACH attack).
    pub(super) fn for_result(request: &HttpRequest, size: usize, personal: bool) -> Self {
        if personal || size < WORTHWHILE {
            Self::Identity
        } else {
            Self::preferred(request)
        }
    }

    /// The validator of a text in this coding, by the text's [hash](super::cache::hash).
    pub(crate) fn tag(self, hash: &str) -> EntityTag {
        EntityTag::new_strong(match self {
            Self::Identity => hash.to_owned(),
            Self::Gzip => format!("{hash}-gzip"),
        })
    }
}

/// A text, compressed.
pub(crate) fn gzip(text: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(text)?;
    encoder.finish()
}

/// A result, compressed for one answer: fast rather than small. None where that was not possible;
/// then the text itself is the answer.
pub(super) async fn gzip_once(text: &Bytes) -> Option<Bytes> {
    if text.len() <= AT_ONCE {
        return gzip(text, Compression::fast()).ok().map(Bytes::from);
    }
    gzip_aside(text, Compression::fast()).await
}

/// Descriptions, compressed when they were first asked for: they never change, so that no call
/// after the first one pays for it.
#[derive(Debug, Default)]
pub(crate) struct Descriptions(Mutex<HashMap<String, Bytes>>);

impl Descriptions {
    /// The whole description that a reserved procedure answers with. There are as many as there are
    /// such procedures, so what is kept is bounded.
    pub(super) async fn gzip(&self, procedure: String, text: &Bytes) -> Option<Bytes> {
        if let Some(kept) = self.kept().get(&procedure) {
            return Some(kept.clone());
        }
        let compressed = gzip_aside(text, Compression::best()).await?;
        self.kept().insert(procedure, compressed.clone());
        Some(compressed)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text, compressed where it holds up nobody.
async fn gzip_aside(text: &Bytes, level: Compression) -> Option<Bytes> {
    let text = text.clone();
    let compressed = web::block(move || gzip(&text, level)).await.ok()?;
    compressed.ok().map(Bytes::from)
}
