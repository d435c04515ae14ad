//! The body of a request, which is read or discarded within the contract's limits.
//!
//! The contract decides whether a body is read at all, how much of it, and for how long. How its bytes
//! arrive is known only to the carrier, which hands over the pieces by implementing [`Upload`].

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Sleep, sleep};

use crate::options::HttpOptions;
use crate::response::ConnectionState;
use crate::time_limit::TimeLimit;
use crate::waiting::BodyBuffer;

/// A body that is still to be read.
pub trait Upload {
    /// Reads the next piece. Returns `None` at the end, however often it is called there.
    ///
    /// # Errors
    /// [`UploadError::Broken`]: the body ends early, or its transfer coding is malformed.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>>;

    /// Returns the length of the whole body, if the request announces it.
    fn announced(&self) -> Option<usize>;

    /// Returns whether the client waits for permission to send the body, which it gets when the body is
    /// first read.
    fn is_withheld(&self) -> bool;
}

impl<U: Upload> Upload for &mut U {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>> {
        U::poll_piece(self, cx)
    }

    fn announced(&self) -> Option<usize> {
        U::announced(self)
    }

    fn is_withheld(&self) -> bool {
        U::is_withheld(self)
    }
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

/// Reads a whole body, of at most `limit` bytes, which has to arrive within `time`. A body in several
/// pieces is stored in the `buffer`, which counts the room that it takes.
pub(crate) async fn read(
    upload: &mut impl Upload,
    limit: usize,
    time: Duration,
    buffer: BodyBuffer,
) -> Result<Bytes, UploadError> {
    if upload.announced().is_some_and(|length| length > limit) {
        return Err(UploadError::TooLarge);
    }
    TimeLimit::new(time)
        .keep(collect(upload, limit, buffer))
        .await
        .unwrap_or(Err(UploadError::TooSlow))
}

async fn collect(
    upload: &mut impl Upload,
    limit: usize,
    mut buffer: BodyBuffer,
) -> Result<Bytes, UploadError> {
    let announced = upload.announced();
    let mut at_once = None;
    let mut length = 0;
    while let Some(piece) = poll_fn(|cx| upload.poll_piece(cx)).await {
        let piece = piece?;
        length += piece.len();
        if length > limit {
            return Err(UploadError::TooLarge);
        }
        if announced == Some(piece.len()) {
            // A body that arrives in one piece is passed on without a copy.
            at_once = Some(piece);
        } else {
            // It is copied, because a carrier cannot reuse its buffer while any part of it is kept.
            buffer.append(&piece).ok_or(UploadError::NoRoom)?;
        }
    }
    Ok(at_once.unwrap_or_else(|| buffer.into_bytes()))
}

/// Discards a body that is of no use before the response, and returns what to do with the connection: a
/// client that is still sending does not read the response yet.
pub(crate) async fn skip(upload: &mut impl Upload, options: &HttpOptions) -> ConnectionState {
    // The body may still arrive, because clients do not wait for permission forever.
    if upload.is_withheld() {
        return ConnectionState::Drain;
    }
    Draining::new(upload, ConnectionState::Drain, options).await
}

/// Reads the rest of a body: enough of it for a client that is still sending to see the response. Returns
/// what to do with the connection, which stays open only if the body has ended.
///
/// It keeps the body until it is dropped, because some servers take a dropped one for permission to wait
/// for its end.
#[must_use = "nothing is read until this is polled"]
pub struct Draining<U> {
    upload: U,
    /// The number of bytes that may still be read.
    left: usize,
    time: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl<U: Upload> Draining<U> {
    /// Reads what the state of the connection allows: for [`ConnectionState::Drain`] as much as the options say, and
    /// otherwise nothing that has not arrived.
    pub fn new(upload: U, after: ConnectionState, options: &HttpOptions) -> Self {
        let (left, time) = match after {
            ConnectionState::Drain => (options.max_drain_bytes, options.drain_time),
            ConnectionState::Open | ConnectionState::Close => (0, Duration::ZERO),
        };
        Self {
            upload,
            left,
            time,
            timer: None,
        }
    }
}

impl<U: Upload + Unpin> Future for Draining<U> {
    type Output = ConnectionState;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ConnectionState> {
        while let Poll::Ready(piece) = self.upload.poll_piece(cx) {
            match piece {
                None => return Poll::Ready(ConnectionState::Open),
                Some(Ok(piece)) if piece.len() <= self.left => self.left -= piece.len(),
                Some(_) => return Poll::Ready(ConnectionState::Close),
            }
        }
        if !self.time.is_zero() {
            let time = self.time;
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(time)));
            ready!(timer.as_mut().poll(cx));
        }
        Poll::Ready(ConnectionState::Close)
    }
}
