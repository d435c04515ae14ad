//! A connection as actix-http sees it: one request at a time.
//!
//! actix-http decodes every request that has arrived, even while an earlier one is running, and
//! only the first head of a connection has a timeout. A caller could make it use 240 times the
//! memory of what was sent, or hold a connection forever with one byte. So actix-http does not read
//! from the socket but from a [`Connection`], which sits between the two:
//!
//! - It passes on one request at a time: the next one follows after the response has been handed
//!   over. Until then it reads at most 16 KiB more, and detects a disconnect behind them.
//! - It passes on a head once all of it has arrived, and closes the connection if that takes too
//!   long. It enforces all timeouts before a request, instead of actix-http.
//! - It passes on a body that is too long for actix-http's buffer in portions. That buffer never shrinks,
//!   and would grow for as long as more bytes are there.
//! - If actix-http rejects a head without a body, it sends a response with one. It rejects heads with a
//!   bare LF or a malformed `Host` itself.
//! - It masks requests to upgrade, because none is accepted.
//! - It decides when to tell a waiting client to send its body.
//! - It sends one response to each request, and no second one if the rest turns out to be
//!   malformed.
//! - It sends large bodies that all callers share from where they are stored. actix-http only sees
//!   their heads.
//!
//! `server/docs/actix-http.md` lists what could be fixed in actix-http itself, with a patch.
//!
//! For a normal call, this costs one search for the end of its head. Nothing is copied.

mod chunks;
mod clock;
mod handover;
mod head;
mod inlet;
mod reading;
pub(super) mod refusal;
pub(super) mod socket;
mod state;
pub(super) mod stream;
#[cfg(feature = "tls")]
pub(super) mod tls;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use reading::Read;
pub(super) use state::{Connection, Times};

/// The response to a client that waits for permission to send its body.
const LEAVE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            if let Some(left) = this.refused {
                ready!(this.poll_drained(cx, left));
                return Poll::Ready(Ok(()));
            }
            // A request is passed on to its end, even if little of it fits into the buffer.
            if this.admitted > 0 && this.pass_on(buffer) {
                return Poll::Ready(Ok(()));
            }
            let running = this.turn.is_running();
            if this.inlet.is_behind() {
                if running {
                    return this.poll_hang_up(cx);
                } else if this.unsent {
                    // A caller that does not read gets no more responses. The socket wakes this
                    // task when the caller reads.
                    return Poll::Pending;
                }
                this.settle(cx);
            }
            match this.poll_request(cx, buffer)? {
                Poll::Ready(Read::Passed | Read::End) => return Poll::Ready(Ok(())),
                Poll::Ready(Read::Held) => {}
                Poll::Pending if running => return Poll::Pending,
                Poll::Pending => {
                    ready!(this.clock.poll(cx));
                    if this.idle {
                        return Poll::Ready(Ok(()));
                    }
                    this.refuse(refusal::TOO_LATE, 0);
                }
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let is_ours = !this.turn.is_running() || this.turn.is_called();
        if !is_ours && let Some(refused) = refusal::in_place_of(bytes) {
            this.turn.end();
            this.refuse(refused, this.times.max_drain_bytes);
        }
        if let Some(left) = this.refused {
            ready!(this.poll_drained(cx, left));
            return Poll::Ready(Ok(bytes.len()));
        }
        if this.turn.is_answered_early() {
            return Poll::Ready(Ok(bytes.len()));
        }
        if this.gathers(bytes) {
            this.gathered.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        ready!(this.poll_gathered(cx))?;
        this.unsent = true;
        this.poll_send_with_body(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let answered = !this.turn.is_running() && this.refused.is_none();
        if answered && this.inlet.is_behind() && this.has_more() && !this.gathered.is_empty() {
            // Held-back responses are sent once the next request has been answered, or if that
            // takes time.
            this.settle(cx);
            return Poll::Ready(Ok(()));
        }
        if this.turn.gives_leave() {
            this.gathered.extend_from_slice(LEAVE);
        }
        ready!(this.poll_gathered(cx))?;
        ready!(this.poll_body(cx))?;
        ready!(this.poll_sent(cx))?;
        this.unsent = false;
        if this.turn.sent() {
            cx.waker().wake_by_ref();
        }
        if answered {
            this.settle(cx);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.refused.is_some() {
            return Poll::Ready(Ok(()));
        }
        ready!(this.poll_gathered(cx))?;
        Pin::new(&mut this.stream).poll_shutdown(cx)
    }
}
