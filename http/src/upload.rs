//! The body of a request, which a carrier reads within the contract's limits.
//!
//! The contract decides whether a body is read at all, and how much of it. How bytes arrive is
//! known only to the carrier, so it implements [`Upload`].

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use tokio::time::timeout;

use crate::options::HttpOptions;
use crate::response::ConnectionState;
use crate::waiting::Arriving;

/// A body that is still to be read.
pub trait Upload {
    /// Reads the whole body, of at most `limit` bytes, which has to arrive within `time`. A body in several
    /// pieces is stored in `arriving`, which counts the room that it takes.
    fn read(
        &mut self,
        limit: usize,
        time: Duration,
        arriving: Arriving,
    ) -> impl Future<Output = Result<Bytes, UploadError>>;

    /// Discards the body, and returns what to do with the connection: a client that is still sending
    /// does not read the response yet.
    fn skip(&mut self, options: &HttpOptions) -> impl Future<Output = ConnectionState>;
}

/// The reason why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadError {
    /// The body is larger than allowed.
    TooLarge,
    /// The body did not arrive in time.
    TooSlow,
    /// The body ended early, or its transfer coding is malformed.
    Broken,
    /// The content coding is malformed.
    Miscoded,
    /// There is no room for more of the body.
    NoRoom,
}

/// Discards the rest of a body, given the lengths of its pieces: at most this many bytes, for at most this
/// time. Returns what to do with the connection, which stays open only if the whole body was read.
pub async fn discard<E>(
    mut lengths: impl Stream<Item = Result<usize, E>> + Unpin,
    max_bytes: usize,
    time: Duration,
) -> ConnectionState {
    let discarding = async {
        let mut left = max_bytes;
        loop {
            match lengths.next().await {
                None => return ConnectionState::Open,
                Some(Ok(length)) if length <= left => left -= length,
                Some(_) => return ConnectionState::Close,
            }
        }
    };
    timeout(time, discarding)
        .await
        .unwrap_or(ConnectionState::Close)
}
