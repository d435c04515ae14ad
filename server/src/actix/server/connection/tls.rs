//! TLS on a socket.
//!
//! TLS is above [`Socket`], which hides bytes from the runtime when it waits for a disconnect, and
//! below the connection, which protects decrypted bytes as it protects those of a plain socket.

use std::io::{self, ErrorKind, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_web::rt::net::TcpStream;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::refusal;
use super::socket::Socket;
use super::stream::Stream;

/// The most bytes of a request without TLS that are read, so that its client can read the response.
const DRAINED: u64 = 64 << 10;

#[derive(Debug)]
pub(in crate::actix::server) struct Tls(TlsStream<Socket<TcpStream>>);

/// Performs the handshake. A client that sends a plain HTTP request gets 400.
///
/// # Errors
/// The handshake failed. The caller limits its time.
pub(in crate::actix::server) async fn accept(
    stream: TcpStream,
    config: Arc<ServerConfig>,
) -> io::Result<Tls> {
    let mut first = [0];
    stream.peek(&mut first).await?;
    // TLS starts with the byte 22, HTTP with the name of a method.
    if first[0].is_ascii_alphabetic() {
        let mut socket = Socket::new(stream);
        socket.end_with(&refusal::without_tls());
        let _ = tokio::io::copy(&mut socket.take(DRAINED), &mut tokio::io::sink()).await;
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "a request without TLS",
        ));
    }
    let accepting = TlsAcceptor::from(config).accept(Socket::new(stream));
    Ok(Tls(accepting.await?))
}

impl Stream for Tls {
    fn is_timed_by_system(&self) -> bool {
        true
    }

    fn has_unread(&self) -> bool {
        let (socket, session) = self.0.get_ref();
        // Decrypted bytes wait to be read. After the end of the stream, the end itself waits to be
        // read.
        socket.has_unread() || !session.wants_read()
    }

    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.has_unread() {
            return Poll::Ready(Ok(()));
        }
        self.0.get_ref().0.poll_readable(cx)
    }

    fn poll_hang_up(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.get_mut().0.poll_hang_up(cx)
    }

    fn end_with(&mut self, bytes: &[u8]) {
        let (socket, session) = self.0.get_mut();
        // The bytes are encrypted into memory, which has room for a refusal and the responses before
        // it.
        let _ = session.writer().write_all(bytes);
        session.send_close_notify();
        while session.wants_write() {
            if !matches!(session.write_tls(&mut AtOnce(socket)), Ok(1..)) {
                break;
            }
        }
        socket.end_with(&[]);
    }
}

/// Writes to a socket as much as it takes at once.
struct AtOnce<'s>(&'s Socket<TcpStream>);

impl Write for AtOnce<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsyncRead for Tls {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match ready!(Pin::new(&mut self.get_mut().0).poll_read(cx, buffer)) {
            // Many clients close a connection without a close_notify of TLS. A request that is cut
            // short is incomplete in HTTP as well, so this is an end like any other.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Poll::Ready(Ok(())),
            read => Poll::Ready(read),
        }
    }
}

impl AsyncWrite for Tls {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(cx)
    }
}
