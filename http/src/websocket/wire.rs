//! The stream below a WebSocket, which counts what passes.
//!
//! It makes the room of an arriving message part of the account of all callers: a message takes room while it grows, and
//! gives it back when it is complete. Without room, nothing more is read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::incomplete::IncompleteMessage;
use crate::pieces::PIECE_SIZE;
use crate::traffic::{Room, Traffic};

/// The size of the blocks in which a growing message takes room.
const BLOCK_SIZE: usize = 64 << 10;

/// A stream, and what has passed on it.
pub(super) struct Wire<S> {
    stream: S,
    /// The bytes that had been read before the WebSocket began.
    arrived: Bytes,
    passed: Passed,
    incomplete: IncompleteMessage,
    /// The room of the message that is incomplete, except for its first bytes, which do not count.
    rooms: Vec<Room>,
    /// The size of a message above which it takes no more room, because it will be refused.
    max_message_bytes: usize,
    traffic: Arc<Traffic>,
    /// Set if there is no room for more of a message.
    pub(super) lacks_room: bool,
}

/// The numbers of bytes that have passed on a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Passed {
    pub(super) read: u64,
    pub(super) written: u64,
}

impl<S> Wire<S> {
    pub(super) fn new(
        stream: S,
        arrived: Bytes,
        max_message_bytes: usize,
        traffic: Arc<Traffic>,
    ) -> Self {
        Self {
            stream,
            arrived,
            passed: Passed::default(),
            incomplete: IncompleteMessage::default(),
            rooms: Vec::new(),
            max_message_bytes,
            traffic,
            lacks_room: false,
        }
    }

    pub(super) fn passed(&self) -> Passed {
        self.passed
    }

    pub(super) fn into_stream(self) -> S {
        self.stream
    }

    /// Returns whether a message has arrived in part.
    pub(super) fn has_partial(&self) -> bool {
        self.incomplete.bytes() > 0
    }

    /// Takes room for more bytes of a message, if there is some.
    fn take_room(&mut self) -> bool {
        let granted = PIECE_SIZE + self.rooms.len() * BLOCK_SIZE;
        if self.incomplete.bytes() < granted || granted > self.max_message_bytes {
            return true;
        }
        let room = self.traffic.try_take(BLOCK_SIZE);
        self.lacks_room = room.is_none();
        self.rooms.extend(room);
        !self.lacks_room
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if self.arrived.has_remaining() {
            let length = buf.remaining().min(self.arrived.len());
            buf.put_slice(&self.arrived.split_to(length));
        } else if self.take_room() {
            ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        } else {
            // The carrier closes the connection.
            return Poll::Pending;
        }
        let new = &buf.filled()[before..];
        self.passed.read += new.len() as u64;
        self.incomplete.receive(new);
        if !self.has_partial() {
            self.rooms.clear();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
        self.passed.written += written as u64;
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(cx, slices))?;
        self.passed.written += written as u64;
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
