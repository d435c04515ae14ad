//! Reading a body within its bounds.

use std::time::Duration;

use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpRequest, web};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::options::HttpOptions;

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is larger than allowed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// It ended early, or its transfer coding is broken.
    Broken,
}

/// Reads a body of at most `limit` bytes.
pub(super) async fn read(
    request: &HttpRequest,
    payload: &mut web::Payload,
    limit: usize,
    time: Duration,
) -> Result<Bytes, Unread> {
    if announced(request).is_some_and(|length| length > limit as u64) {
        return Err(Unread::TooLarge);
    }
    // The timer of a body that is there already is never started.
    timeout(time, collect(payload, limit))
        .await
        .unwrap_or(Err(Unread::TooSlow))
}

/// The length that the request says its body has.
fn announced(request: &HttpRequest) -> Option<u64> {
    request
        .headers()
        .get(CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

async fn collect(payload: &mut web::Payload, limit: usize) -> Result<Bytes, Unread> {
    let Some(first) = payload.next().await else {
        return Ok(Bytes::new());
    };
    let first = first.map_err(|_| Unread::Broken)?;
    let mut whole: Option<BytesMut> = None;
    let mut length = first.len();
    while length <= limit {
        let Some(chunk) = payload.next().await else {
            // A body that came in one piece is passed on as it came.
            return Ok(whole.map_or(first, BytesMut::freeze));
        };
        let chunk = chunk.map_err(|_| Unread::Broken)?;
        length += chunk.len();
        if length <= limit {
            whole
                .get_or_insert_with(|| BytesMut::from(first.as_ref()))
                .extend_from_slice(&chunk);
        }
    }
    Err(Unread::TooLarge)
}

/// Reads on for a while and forgets what it reads: a client that is still sending does not look for
/// an answer yet, and would only see its connection break. Says whether that was all.
pub(super) async fn drain(payload: &mut web::Payload, options: &HttpOptions) -> bool {
    let rest = async {
        let mut left = options.drain_bytes;
        loop {
            match payload.next().await {
                None => return true,
                Some(Ok(chunk)) if chunk.len() <= left => left -= chunk.len(),
                Some(_) => return false,
            }
        }
    };
    timeout(options.drain_time, rest).await.unwrap_or(false)
}
