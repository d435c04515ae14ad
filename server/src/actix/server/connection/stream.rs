//! The streams that carry connections: sockets, and TLS on a socket.
//!
//! Connections are generic over them. All that they need beyond reading and writing is whether the
//! peer has left.

use std::io;

use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, Interest, Ready};

/// A stream that knows whether its peer has left.
#[cfg_attr(
    not(feature = "__fuzzing"),
    expect(unreachable_pub, reason = "fuzzing brings a stream of its own")
)]
pub trait Stream: AsyncRead + AsyncWrite + Unpin + 'static {
    /// Returns whether the peer has closed its side, even if not all that it sent has been read.
    fn is_closed(&self) -> bool;
}

impl Stream for TcpStream {
    fn is_closed(&self) -> bool {
        is_read_closed(self.ready(Interest::READABLE))
    }
}

#[cfg(unix)]
impl Stream for UnixStream {
    fn is_closed(&self) -> bool {
        is_read_closed(self.ready(Interest::READABLE))
    }
}

#[cfg(feature = "tls")]
impl Stream for tokio_rustls::server::TlsStream<TcpStream> {
    fn is_closed(&self) -> bool {
        self.get_ref().0.is_closed()
    }
}

fn is_read_closed(ready: impl Future<Output = io::Result<Ready>>) -> bool {
    let ready = ready.now_or_never();
    ready.is_some_and(|ready| ready.map_or(true, Ready::is_read_closed))
}
