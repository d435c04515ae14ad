//! Messages on a stream: what tokio-websockets reads and writes, in the terms of a carrier.
//!
//! In come the bytes of a [`Wire`], out come [`Received`] messages; [`Socket::send`] goes the other way. tokio-websockets
//! does not say how many bytes wait in its buffers, so they are counted here as they are queued, and on the wire as they
//! are written.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Sink as _, Stream as _};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use tokio_websockets::{CloseCode, Config, Error, Limits, Message, ServerBuilder, WebSocketStream};

use super::wire::Wire;
use crate::options::HttpOptions;
use crate::traffic::Traffic;

/// The time in which a peer has to read why its connection ends.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// The size of a message above which its buffer is not kept for the next one.
const MAX_KEPT_BYTES: usize = 64 << 10;

/// The maximum number of bytes of the header of a frame that a server sends.
const MAX_HEADER: usize = 10;

/// A WebSocket on a stream.
pub(super) struct Socket<S> {
    frames: WebSocketStream<Wire<S>>,
    /// The number of bytes that were ever queued.
    queued: u64,
    /// True if tokio-websockets has grown its buffer for a large message, and keeps it.
    has_large_buffer: bool,
}

/// Something that has come from the peer.
pub(super) enum Received {
    Message(Bytes),
    /// A ping, or the answer to one.
    Control,
    Binary,
    /// A message that is too large.
    TooLarge,
    /// The peer has closed the connection or left it, or it has sent something that is no frame. An answer to that is
    /// queued.
    End,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Creates a WebSocket that takes messages of at most this size.
    pub(super) fn new(
        stream: S,
        arrived: Bytes,
        max_message_bytes: usize,
        traffic: Arc<Traffic>,
    ) -> Self {
        let wire = Wire::new(stream, arrived, max_message_bytes, traffic);
        Self::of_wire(wire, max_message_bytes, 0)
    }

    fn of_wire(wire: Wire<S>, max_message_bytes: usize, queued: u64) -> Self {
        let frames = ServerBuilder::new()
            .limits(Limits::default().max_payload_len(Some(max_message_bytes)))
            // A message is one frame.
            .config(Config::default().frame_size(usize::MAX))
            .serve(wire);
        Self {
            frames,
            queued,
            has_large_buffer: false,
        }
    }

    /// Returns whether a large buffer is kept, and nothing is in it.
    pub(super) fn can_shrink(&self) -> bool {
        self.has_large_buffer && !self.wire().has_partial() && self.unwritten() == 0
    }

    /// Gives back a large buffer. Call this only between messages, when [`poll_receive`](Self::poll_receive) is pending
    /// and [`can_shrink`](Self::can_shrink).
    pub(super) fn shrunk(self, max_message_bytes: usize) -> Self {
        Self::of_wire(self.frames.into_inner(), max_message_bytes, self.queued)
    }

    pub(super) fn wire(&self) -> &Wire<S> {
        self.frames.get_ref()
    }

    /// Returns the number of bytes that are queued and not written.
    pub(super) fn unwritten(&self) -> u64 {
        self.queued.saturating_sub(self.wire().passed().written)
    }

    /// Returns the number of bytes that were ever queued.
    pub(super) fn queued(&self) -> u64 {
        self.queued
    }

    /// Waits for the next message.
    pub(super) fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Received> {
        let message = match ready!(Pin::new(&mut self.frames).poll_next(cx)) {
            Some(Ok(message)) => message,
            Some(Err(Error::PayloadTooLong { .. })) => return Poll::Ready(Received::TooLarge),
            Some(Err(_)) | None => return Poll::Ready(Received::End),
        };
        if message.is_close() {
            return Poll::Ready(Received::End);
        }
        let length = message.as_payload().len();
        if message.is_ping() {
            // The answer is queued.
            self.queued += (header_length(length) + length) as u64;
        }
        if message.is_ping() || message.is_pong() {
            return Poll::Ready(Received::Control);
        }
        self.has_large_buffer |= length > MAX_KEPT_BYTES;
        if message.is_binary() {
            return Poll::Ready(Received::Binary);
        }
        Poll::Ready(Received::Message(message.into_payload().into()))
    }

    /// Queues a message.
    pub(super) fn send(&mut self, message: Bytes) {
        self.queue(Message::text(message));
    }

    /// Queues a ping.
    pub(super) fn ping(&mut self) {
        self.queue(Message::ping(Bytes::new()));
    }

    fn queue(&mut self, message: Message) {
        let length = message.as_payload().len();
        // After its end, a connection takes no more messages.
        if Pin::new(&mut self.frames).start_send(message).is_ok() {
            self.queued += (header_length(length) + length) as u64;
        }
    }

    /// Writes what is queued.
    pub(super) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.frames).poll_flush(cx)
    }

    /// Closes the connection, with the reason if the peer has not got it yet. Then discards what still arrives for some
    /// time: a connection that is closed with unread bytes is reset, and the peer may lose the reason.
    pub(super) async fn close(
        mut self,
        reason: Option<(CloseCode, String)>,
        options: &HttpOptions,
    ) {
        if let Some((code, text)) = reason {
            // For a frame that is too large, tokio-websockets has queued a close of its own, which does not name our
            // limit. It goes with the buffer, where nothing else waits. Nothing more is received.
            if self.unwritten() == 0 {
                self = Self::of_wire(self.frames.into_inner(), 0, self.queued);
            }
            self.queue(Message::close(Some(code), &text));
        }
        let flushed = timeout(CLOSING_TIME, poll_fn(|cx| self.poll_flush(cx))).await;
        if !matches!(flushed, Ok(Ok(()))) {
            return;
        }
        let mut stream = self.frames.into_inner().into_stream();
        let drain = async {
            let mut left = options.max_drain_bytes;
            let mut piece = [0; 1 << 10];
            stream.shutdown().await?;
            while left > 0 {
                match stream.read(&mut piece).await? {
                    0 => break,
                    read => left = left.saturating_sub(read),
                }
            }
            io::Result::Ok(())
        };
        // Nothing is left to do if the peer has gone or is too slow.
        let _ = timeout(options.drain_time, drain).await;
    }
}

/// Returns the length of the header of a frame with a payload of this length.
fn header_length(length: usize) -> usize {
    match length {
        0..=125 => 2,
        126..=0xffff => 4,
        _ => MAX_HEADER,
    }
}
