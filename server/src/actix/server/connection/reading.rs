//! Reads from the socket, and passes on the bytes that actix-http may see.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead as _, ReadBuf};

use super::state::{AHEAD, Connection, PATIENCE, PIECE, PORTION};
use super::{head, refusal};
use crate::contract::response::Status;

/// The first byte that a client sends in TLS. No head of a request starts with it.
const HANDSHAKE: u8 = 22;

/// The outcome of a read.
pub(super) enum Read {
    /// Bytes were passed on.
    Passed,
    /// Bytes were read, but not enough to pass any on.
    Held,
    /// The peer sends no more bytes.
    End,
}

impl Connection {
    /// Tells the turn that a head has been passed on, or that the request is complete.
    fn note(&mut self, was_in_head: bool) {
        if was_in_head && !self.inlet.is_in_head() {
            self.turn.begin(self.inlet.waits());
            self.patience = PATIENCE;
            self.idle = false;
        }
        if self.inlet.is_behind() {
            self.portion = 0;
            self.turn.complete();
        }
    }

    /// Reads a request and passes on as much of it as has arrived.
    pub(super) fn poll_request(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<Read>> {
        loop {
            if self.pass_on(buffer) {
                return Poll::Ready(Ok(Read::Passed));
            }
            let refused = if self.inlet.is_in_head() && self.ahead.starts_with(&[HANDSHAKE]) {
                Some(refusal::WITH_TLS)
            } else {
                let fault = self.inlet.fault();
                fault.map(|reason| (Status::BAD_REQUEST, reason))
            };
            if let Some(refused) = refused {
                self.refuse(refused, self.times.max_drain_bytes);
                return Poll::Ready(Ok(Read::Held));
            }
            let read = if self.ahead.is_empty() {
                ready!(self.poll_portion(cx, buffer))?
            } else if self.ahead.len() < head::LIMIT {
                ready!(self.poll_ahead(cx, head::LIMIT))?
            } else {
                self.refuse(refusal::TOO_LONG, self.times.max_drain_bytes);
                return Poll::Ready(Ok(Read::Held));
            };
            if !matches!(read, Read::Held) {
                return Poll::Ready(Ok(read));
            }
            if self.idle {
                self.idle = false;
                self.clock.set(self.times.head);
            }
        }
    }

    /// Passes on bytes that were read before, if allowed. Returns whether there were any.
    pub(super) fn pass_on(&mut self, buffer: &mut ReadBuf<'_>) -> bool {
        if self.admitted == 0 && !self.ahead.is_empty() {
            let was_in_head = self.inlet.is_in_head();
            self.admitted = self.inlet.admit(&mut self.ahead);
            self.note(was_in_head);
        }
        let length = self.admitted.min(buffer.remaining());
        if length == 0 {
            return false;
        }
        buffer.put_slice(&self.ahead[..length]);
        self.ahead.advance(length);
        self.admitted -= length;
        if self.ahead.is_empty() {
            // A connection that is idle between two requests keeps no buffer.
            self.ahead = BytesMut::new();
        }
        true
    }

    /// Reads as [`poll_through`](Self::poll_through) does, but pauses after each portion of a long body, for
    /// actix-http to take it.
    fn poll_portion(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<Read>> {
        let read = if self.portion < PORTION {
            self.poll_through(cx, buffer)
        } else {
            cx.waker().wake_by_ref();
            Poll::Pending
        };
        if read.is_pending() {
            self.portion = 0;
        }
        read
    }

    /// Returns how many bytes to read into actix-http's buffer.
    fn room(&self, buffer: &ReadBuf<'_>) -> usize {
        let mut room = buffer.remaining();
        if self.inlet.is_in_portions() {
            room = room.min(PORTION - self.portion);
        }
        if self.inlet.takes_all_of(room) {
            room
        } else {
            room.min(AHEAD)
        }
    }

    /// Reads straight into actix-http's buffer, and takes back the bytes that it may not see yet.
    fn poll_through(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<Read>> {
        let before = buffer.filled().len();
        let room = self.room(buffer);
        if room == buffer.remaining() {
            ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        } else {
            let mut limited = ReadBuf::new(buffer.initialize_unfilled_to(room));
            ready!(Pin::new(&mut self.stream).poll_read(cx, &mut limited))?;
            let read = limited.filled().len();
            buffer.advance(read);
        }
        let read = &mut buffer.filled_mut()[before..];
        if read.is_empty() {
            return Poll::Ready(Ok(Read::End));
        }
        let was_in_head = self.inlet.is_in_head();
        let admitted = self.inlet.admit(read);
        self.ahead.extend_from_slice(&read[admitted..]);
        buffer.set_filled(before + admitted);
        if self.inlet.is_in_portions() {
            self.portion += admitted;
        }
        self.note(was_in_head);
        let passed = if admitted > 0 {
            Read::Passed
        } else {
            Read::Held
        };
        Poll::Ready(Ok(passed))
    }

    /// Reads bytes that are not passed on yet, until `most` are buffered.
    fn poll_ahead(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<Read>> {
        // Usually there is nothing to read, so check before preparing a buffer.
        ready!(self.stream.poll_readable(cx))?;
        let mut piece = [0; PIECE];
        let room = most.saturating_sub(self.ahead.len()).min(PIECE);
        let mut read = ReadBuf::new(&mut piece[..room]);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read))?;
        if read.filled().is_empty() {
            return Poll::Ready(Ok(Read::End));
        }
        self.ahead.extend_from_slice(read.filled());
        Poll::Ready(Ok(Read::Held))
    }

    /// Waits for the peer to disconnect while a response is outstanding, and reads a little
    /// meanwhile.
    pub(super) fn poll_hang_up(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.hung_up {
            if self.ahead.len() >= AHEAD {
                ready!(self.stream.poll_hang_up(cx));
                self.hung_up = true;
            } else if let Read::End = ready!(self.poll_ahead(cx, AHEAD))? {
                self.hung_up = true;
            }
        }
        if self.turn.is_called() || self.patience == 0 {
            return Poll::Ready(Ok(()));
        }
        // The peer may only have closed its sending side, so a response that is ready at once is
        // still sent. A request that does not reach the service soon never will.
        self.patience -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
