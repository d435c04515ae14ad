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

/// The most bytes of events that the system takes before it can send them. Other responses have more, because a reader
/// of events has less time for some progress.
#[cfg(target_os = "linux")]
const MAX_UNSENT_BYTES: u32 = 16 << 10;

/// A stream that knows whether its peer has left.
#[cfg_attr(
    not(feature = "__fuzzing"),
    expect(unreachable_pub, reason = "fuzzing brings a stream of its own")
)]
pub trait Stream: AsyncRead + AsyncWrite + Unpin + 'static {
    /// Returns whether the peer has closed its side, even if not all that it sent has been read.
    fn is_closed(&self) -> bool;

    /// Lets the system take fewer bytes before it can send them, where it can be told to. A peer that reads slowly is
    /// seen to read only when the system takes more.
    fn limit_unsent(&self) {}
}

impl Stream for TcpStream {
    fn is_closed(&self) -> bool {
        is_read_closed(self.ready(Interest::READABLE))
    }

    #[cfg(target_os = "linux")]
    fn limit_unsent(&self) {
        // If that fails, slow peers have less time.
        let _ = socket2::SockRef::from(self).set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
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

    fn limit_unsent(&self) {
        self.get_ref().0.limit_unsent();
    }
}

fn is_read_closed(ready: impl Future<Output = io::Result<Ready>>) -> bool {
    let ready = ready.now_or_never();
    ready.is_some_and(|ready| ready.map_or(true, Ready::is_read_closed))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use socket2::{Domain, Socket, Type};
    use tokio::net::TcpListener;

    use super::*;

    #[actix_web::test]
    async fn the_system_takes_few_events_for_a_peer_that_does_not_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let peer = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        peer.set_recv_buffer_size(4 << 10).expect("an option");
        peer.connect(&address.into()).expect("it listens");
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.limit_unsent();
        stream.writable().await.expect("it is open");
        let mut taken = 0;
        while let Ok(written) = stream.try_write(&[0; 1 << 10]) {
            taken += written;
        }
        assert!(taken < 64 << 10, "{taken}");
    }
}
