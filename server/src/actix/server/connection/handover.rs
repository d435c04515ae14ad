//! What a connection does after a response has been handed over.

use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use socket2::SockRef;
use tokio::io::{AsyncWrite, ReadBuf};

use super::state::{Connection, GATHERED, PIECE, Times};

impl Connection {
    /// Prepares for the next request after a response has been handed over.
    pub(super) fn settle(&mut self, cx: &mut Context<'_>) {
        if self.inlet.is_behind() {
            self.inlet.next();
            self.idle = self.ahead.is_empty();
            let Times {
                head, keep_alive, ..
            } = self.times;
            self.clock.set(if self.idle { keep_alive } else { head });
            if !self.idle || self.socket.has_unread() {
                cx.waker().wake_by_ref();
            }
        } else if !self.inlet.is_in_head() && !self.idle {
            // The response was sent before the whole body had arrived, and the rest is not needed.
            self.idle = true;
            self.clock.set(self.times.keep_alive);
        }
        if self.clock.poll(cx).is_ready() {
            cx.waker().wake_by_ref();
        }
    }

    /// Returns whether bytes have arrived after the request in progress.
    pub(super) fn has_more(&self) -> bool {
        self.ahead.len() > self.admitted
    }

    /// Returns whether to hold a response back and send it with others. Sent separately, each would
    /// wait until the peer acknowledges the one before.
    pub(super) fn gathers(&self, answer: &[u8]) -> bool {
        let others = self.has_more() || !self.gathered.is_empty();
        others && self.gathered.len() + answer.len() <= GATHERED
    }

    /// Sends the responses that have been held back.
    pub(super) fn poll_gathered(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.gathered.is_empty() {
            self.unsent = true;
            let stream = Pin::new(&mut self.socket.stream);
            let sent = ready!(stream.poll_write(cx, &self.gathered))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.gathered.advance(sent);
            if self.gathered.is_empty() {
                self.gathered = BytesMut::new();
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Responds to an invalid request, and keeps reading for a while, so that a caller that is
    /// still sending gets the response.
    pub(super) fn refuse(&mut self, answer: &[u8], drain: usize) {
        // The refusal cannot be sent while part of a response is unsent.
        if !self.unsent {
            self.gathered.extend_from_slice(answer);
            let _ = self.socket.stream.try_write(&self.gathered);
            self.gathered = BytesMut::new();
        }
        let _ = SockRef::from(&self.socket.stream).shutdown(Shutdown::Write);
        self.clock.set(self.times.drain);
        let drains = !self.times.drain.is_zero();
        self.refused = Some(if drains { drain } else { 0 });
    }

    /// Reads and discards up to `left` bytes after a refusal.
    pub(super) fn poll_drained(&mut self, cx: &mut Context<'_>, mut left: usize) -> Poll<()> {
        while left > 0 && self.clock.poll(cx).is_pending() {
            let mut piece = [0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            left = match ready!(self.socket.poll_read(cx, &mut read)) {
                Ok(()) if !read.filled().is_empty() => left.saturating_sub(read.filled().len()),
                Ok(()) | Err(_) => 0,
            };
            self.refused = Some(left);
        }
        self.refused = Some(0);
        Poll::Ready(())
    }
}
