//! A socket that reports when its peer disconnects, even if there are unread bytes before that.

use std::fmt::Debug;
use std::future::Future;
use std::io::{self, ErrorKind, IoSlice, Read};
use std::net::Shutdown;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};

use super::stream::Stream;

/// The sockets of the runtime: the operations that TCP and Unix sockets share.
pub(in crate::actix::server) trait Plain:
    AsyncRead + AsyncWrite + Debug + Unpin + 'static
{
    const IS_TIMED_BY_SYSTEM: bool;

    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;

    /// Returns the current state without waiting for a change.
    fn poll_state(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>>;

    /// Tells the runtime that there is nothing to read.
    fn has_nothing_to_read(&self);

    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;

    fn system(&self) -> SockRef<'_>;
}

macro_rules! plain {
    ($stream:ty, $is_timed_by_system:expr) => {
        impl Plain for $stream {
            const IS_TIMED_BY_SYSTEM: bool = $is_timed_by_system;

            fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                <$stream>::poll_read_ready(self, cx)
            }

            fn poll_state(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
                pin!(self.ready(Interest::READABLE)).poll(cx)
            }

            fn has_nothing_to_read(&self) {
                let nothing = || Err::<(), _>(ErrorKind::WouldBlock.into());
                let _ = self.try_io(Interest::READABLE, nothing);
            }

            fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
                <$stream>::try_write(self, bytes)
            }

            fn system(&self) -> SockRef<'_> {
                SockRef::from(self)
            }
        }
    };
}

plain!(TcpStream, true);
#[cfg(unix)]
plain!(UnixStream, false);

#[derive(Debug)]
pub(in crate::actix::server) struct Socket<P> {
    stream: P,
    /// True if there may be bytes although the runtime has been told that there are none.
    unread: bool,
}

impl<P: Plain> Socket<P> {
    pub(in crate::actix::server) fn new(stream: P) -> Self {
        Self {
            stream,
            unread: false,
        }
    }

    /// Sends bytes without waiting for room.
    #[cfg(feature = "tls")]
    pub(super) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.try_write(bytes)
    }
}

impl<P: Plain> Stream for Socket<P> {
    fn is_timed_by_system(&self) -> bool {
        P::IS_TIMED_BY_SYSTEM
    }

    fn has_unread(&self) -> bool {
        self.unread
    }

    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.unread {
            return Poll::Ready(Ok(()));
        }
        self.stream.poll_read_ready(cx)
    }

    /// Waits for a disconnect. A socket with unread bytes is always ready, whatever happens after
    /// them. So we tell the runtime that there are none, and it wakes us at the next event. It never
    /// forgets a disconnect, which is a state.
    fn poll_hang_up(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.stream.poll_read_ready(cx).is_ready() {
            match self.stream.poll_state(cx) {
                Poll::Ready(Ok(state)) if !state.is_read_closed() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => continue,
            }
            self.unread = true;
            self.stream.has_nothing_to_read();
        }
        Poll::Pending
    }

    fn end_with(&mut self, bytes: &[u8]) {
        let _ = self.stream.try_write(bytes);
        let _ = self.stream.system().shutdown(Shutdown::Write);
    }
}

impl<P: Plain> AsyncRead for Socket<P> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.unread {
            let read = (&*this.stream.system()).read(buffer.initialize_unfilled());
            match read {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => this.unread = false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Pin::new(&mut this.stream).poll_read(cx, buffer)
    }
}

impl<P: Plain> AsyncWrite for Socket<P> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
