//! A socket that reports when its peer disconnects, even if there are unread bytes before that.

use std::future::Future;
use std::io::{self, ErrorKind, Read};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use actix_web::rt::net::TcpStream;
use socket2::SockRef;
use tokio::io::{AsyncRead, Interest, ReadBuf};

#[derive(Debug)]
pub(super) struct Socket {
    pub(super) stream: TcpStream,
    /// Whether there may be bytes although the runtime has been told that there are none.
    unread: bool,
}

impl Socket {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            unread: false,
        }
    }

    /// Returns whether there may be bytes for which no wake-up will come.
    pub(super) fn has_unread(&self) -> bool {
        self.unread
    }

    /// Waits until there are bytes to read, or the end.
    pub(super) fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.unread {
            return Poll::Ready(Ok(()));
        }
        self.stream.poll_read_ready(cx)
    }

    pub(super) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.unread {
            let read = (&*SockRef::from(&self.stream)).read(buffer.initialize_unfilled());
            match read {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.unread = false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }

    /// Waits until the peer disconnects, without reading.
    ///
    /// A socket with unread bytes is always ready, whatever happens after them. So we tell the
    /// runtime that there are none, and it wakes us at the next event. A disconnect is a state that
    /// it does not forget.
    pub(super) fn poll_hang_up(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.stream.poll_read_ready(cx).is_ready() {
            let state = pin!(self.stream.ready(Interest::READABLE)).poll(cx);
            match state {
                Poll::Ready(Ok(state)) if !state.is_read_closed() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => continue,
            }
            self.unread = true;
            let nothing = || Err::<(), _>(ErrorKind::WouldBlock.into());
            let _ = self.stream.try_io(Interest::READABLE, nothing);
        }
        Poll::Pending
    }
}
