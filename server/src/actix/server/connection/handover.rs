//! The steps of a connection after a response has been handed over.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};

use super::clock::Clock;
use super::refusal::{self, Refused};
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
            if !self.idle || self.stream.has_unread() {
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

    /// Writes bytes of a response.
    ///
    /// # Errors
    /// `TimedOut`: the peer has not read anything for too long.
    pub(super) fn poll_send(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.poll_in_time(cx, sent)
    }

    /// Waits until all bytes that were written have been sent.
    ///
    /// # Errors
    /// `TimedOut`: the peer has not read anything for too long.
    pub(super) fn poll_sent(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.poll_in_time(cx, sent)
    }

    /// Passes on a result, and limits the time until there is one.
    fn poll_in_time<T>(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if self.stream.is_timed_by_system() {
            return sent;
        }
        if sent.is_ready() {
            self.unread = None;
            return sent;
        }
        let clock = self.unread.get_or_insert_with(|| {
            let mut clock = Box::new(Clock::new());
            clock.set(self.times.write);
            clock
        });
        clock.poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Sends the responses that have been held back.
    pub(super) fn poll_gathered(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.gathered.is_empty() {
            self.unsent = true;
            let gathered = std::mem::take(&mut self.gathered);
            let sent = self.poll_send(cx, &gathered);
            self.gathered = gathered;
            let sent = ready!(sent)?;
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

    /// Sends bytes of actix-http together with the body that follows them directly, if there is one.
    /// Returns how many of actix-http's bytes were sent.
    pub(super) fn poll_send_with_body(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let stream = Pin::new(&mut self.stream);
        let sent = if let Some(body) = &mut *self.turn.direct() {
            let [first, second, third] = body.parts().each_ref().map(|part| IoSlice::new(part));
            let all = [IoSlice::new(bytes), first, second, third];
            stream.poll_write_vectored(cx, &all).map_ok(|sent| {
                body.advance(sent.saturating_sub(bytes.len()));
                sent.min(bytes.len())
            })
        } else {
            stream.poll_write(cx, bytes)
        };
        self.poll_in_time(cx, sent)
    }

    /// Sends what is left of a body that follows actix-http's bytes directly, and continues with its
    /// response.
    pub(super) fn poll_body(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.turn.direct().is_none() {
            return Poll::Ready(Ok(()));
        }
        while let Some(sent) = self.poll_part(cx) {
            if ready!(self.poll_in_time(cx, sent))? == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
        *self.turn.direct() = None;
        cx.waker().wake_by_ref();
        Poll::Ready(Ok(()))
    }

    /// Sends as much of a body as the stream takes at once. Returns `None` at its end.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        let mut direct = self.turn.direct();
        let body = direct.as_mut().filter(|body| !body.is_empty())?;
        self.unsent = true;
        let parts = body.parts().each_ref().map(|part| IoSlice::new(part));
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, &parts);
        Some(sent.map_ok(|sent| {
            body.advance(sent);
            sent
        }))
    }

    /// Responds to an invalid request, and keeps reading for a while, so that a caller that is
    /// still sending gets the response.
    pub(super) fn refuse(&mut self, refused: Refused, drain: usize) {
        let answer = refusal::told(&self.service, self.peer, refused);
        // The refusal cannot be sent while part of a response is unsent.
        if self.unsent {
            self.gathered.clear();
        } else {
            self.gathered.extend_from_slice(&answer);
        }
        self.stream.end_with(&self.gathered);
        self.gathered = BytesMut::new();
        self.clock.set(self.times.drain);
        let drains = !self.times.drain.is_zero();
        self.refused = Some(if drains { drain } else { 0 });
    }

    /// Reads and discards up to `left` bytes after a refusal.
    pub(super) fn poll_drained(&mut self, cx: &mut Context<'_>, mut left: usize) -> Poll<()> {
        while left > 0 && self.clock.poll(cx).is_pending() {
            let mut piece = [0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            left = match ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read)) {
                Ok(()) if !read.filled().is_empty() => left.saturating_sub(read.filled().len()),
                Ok(()) | Err(_) => 0,
            };
            self.refused = Some(left);
        }
        self.refused = Some(0);
        Poll::Ready(())
    }
}
