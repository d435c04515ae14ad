//! Sends the responses of routes of one's own.
//!
//! Their bodies are those of actix-web: known at once, or made while they are sent, with or without a known
//! length. The fields that frame a message are written here, whatever the handler has set.

use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody as _};
use actix_web::http::header::{
    CONNECTION, CONTENT_LENGTH, DATE, HeaderName, TRANSFER_ENCODING, UPGRADE,
};
use actix_web::http::{StatusCode, Version};
use bytes::{Buf, Bytes, BytesMut};
use docent_core::RequestId;
use docent_http::ConnectionState;
use tokio::io::AsyncWrite as _;

use super::pace::Pace;
use super::receiving::{SharedConnection, unless_gone};
use crate::actix::message::REQUEST_ID;

/// The part of a request that decides the form of its response.
pub(super) struct Asked {
    pub(super) id: RequestId,
    pub(super) version: Version,
    /// True if the connection closes after the response.
    pub(super) is_last: bool,
    /// True for HEAD, whose response has no body.
    pub(super) is_head: bool,
    /// True if a peer that leaves needs no response: the request is GET or HEAD, without a body.
    pub(super) is_watched: bool,
}

/// The end of a body on the wire.
#[derive(Clone, Copy)]
enum Framing {
    /// There is no body.
    Nothing,
    Length(usize),
    Chunked,
    /// It ends with the connection, because HTTP/1.0 has no chunks.
    ToTheEnd,
}

/// Sends a response, and returns the number of bytes of its body. `time` is how long the peer has to read
/// 256 KiB.
///
/// # Errors
/// The connection is broken, its peer too slow, or the body has failed. The connection has to be closed.
pub(super) async fn send(
    connection: &SharedConnection,
    asked: &Asked,
    response: HttpResponse<BoxBody>,
    after: ConnectionState,
    time: Duration,
) -> io::Result<usize> {
    let framing = framing(&response, asked);
    let head = head(connection, asked, &response, framing, after);
    let mut writer = Writer {
        connection,
        pace: Pace::new(time),
    };
    if asked.is_head || matches!(framing, Framing::Nothing) {
        writer.write(head.as_slice()).await?;
        return Ok(0);
    }
    match response.into_body().try_into_bytes() {
        Ok(whole) => {
            let length = whole.len();
            writer.write(head.chain(whole)).await?;
            Ok(length)
        }
        Err(body) => {
            writer.write(head.as_slice()).await?;
            writer.write_pieces(body, framing, asked).await
        }
    }
}

fn framing(response: &HttpResponse<BoxBody>, asked: &Asked) -> Framing {
    if matches!(
        response.status(),
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
    ) {
        return Framing::Nothing;
    }
    match response.body().size() {
        BodySize::None => Framing::Length(0),
        BodySize::Sized(length) => Framing::Length(usize::try_from(length).unwrap_or(usize::MAX)),
        BodySize::Stream => {
            // The handler knows better.
            let field = response.headers().get(CONTENT_LENGTH);
            let announced = field.and_then(|length| length.to_str().ok()?.parse().ok());
            match announced {
                Some(length) => Framing::Length(length),
                None if asked.version < Version::HTTP_11 => Framing::ToTheEnd,
                None => Framing::Chunked,
            }
        }
    }
}

/// Writes the head of a response.
fn head(
    connection: &SharedConnection,
    asked: &Asked,
    response: &HttpResponse<BoxBody>,
    framing: Framing,
    after: ConnectionState,
) -> Vec<u8> {
    let mut start = BytesMut::with_capacity(512);
    let status = response.status();
    let reason = response.head().reason();
    for text in ["HTTP/1.1 ", status.as_str(), " ", reason, "\r\n"] {
        start.extend_from_slice(text.as_bytes());
    }
    if !response.headers().contains_key(DATE) {
        connection
            .borrow()
            .config()
            .write_date_header(&mut start, false);
    }
    let mut head = Vec::from(start);
    for (name, value) in response.headers() {
        if !is_set_by_server(name) {
            write_field(&mut head, name.as_str(), value.as_bytes());
        }
    }
    write_field(&mut head, REQUEST_ID.as_str(), asked.id.as_bytes());
    match framing {
        Framing::Length(length) => {
            write_field(&mut head, "content-length", length.to_string().as_bytes());
        }
        Framing::Chunked => write_field(&mut head, "transfer-encoding", b"chunked"),
        Framing::Nothing | Framing::ToTheEnd => {}
    }
    if after != ConnectionState::Open {
        write_field(&mut head, "connection", b"close");
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// Returns whether a field belongs to the connection, the framing of the body, or the request.
fn is_set_by_server(name: &HeaderName) -> bool {
    [
        CONNECTION,
        CONTENT_LENGTH,
        TRANSFER_ENCODING,
        UPGRADE,
        REQUEST_ID,
    ]
    .contains(name)
        || name == "keep-alive"
}

fn write_field(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    for bytes in [name.as_bytes(), b": ", value, b"\r\n"] {
        head.extend_from_slice(bytes);
    }
}

struct Writer<'c> {
    connection: &'c SharedConnection,
    pace: Pace,
}

impl Writer<'_> {
    /// Writes a body that is made while it is sent.
    async fn write_pieces(
        &mut self,
        mut body: BoxBody,
        framing: Framing,
        asked: &Asked,
    ) -> io::Result<usize> {
        let mut length = 0;
        while let Some(piece) = self.next_piece(&mut body, asked).await? {
            length += piece.len();
            match framing {
                Framing::Length(announced) if length > announced => {
                    return Err(failed(asked, "is longer than announced"));
                }
                // An empty chunk would be the last.
                _ if piece.is_empty() => {}
                Framing::Chunked => {
                    let size = format!("{:x}\r\n", piece.len());
                    let chunk = size.as_bytes().chain(piece).chain(&b"\r\n"[..]);
                    self.write(chunk).await?;
                }
                _ => self.write(piece).await?,
            }
        }
        match framing {
            Framing::Length(announced) if length < announced => {
                return Err(failed(asked, "is shorter than announced"));
            }
            Framing::Chunked => self.write(&b"0\r\n\r\n"[..]).await?,
            _ => {}
        }
        Ok(length)
    }

    /// Waits for the next piece, or for the peer to leave.
    async fn next_piece(&self, body: &mut BoxBody, asked: &Asked) -> io::Result<Option<Bytes>> {
        let mut next = pin!(poll_fn(|cx| body.as_pin_mut().poll_next(cx)));
        let piece = if asked.is_watched {
            let left = || io::Error::from(ErrorKind::ConnectionAborted);
            unless_gone(self.connection, next).await.ok_or_else(left)?
        } else {
            next.as_mut().await
        };
        piece
            .transpose()
            .map_err(|error| failed(asked, &format!("failed: {error}")))
    }

    /// Writes all of these bytes, and waits until the stream has taken them.
    async fn write(&mut self, mut bytes: impl Buf) -> io::Result<()> {
        poll_fn(|cx| {
            let written = self.poll_write(cx, &mut bytes);
            if written.is_pending() {
                ready!(self.pace.poll_over(cx));
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            written
        })
        .await
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &mut impl Buf) -> Poll<io::Result<()>> {
        let stream = &mut self.connection.borrow_mut().stream;
        while bytes.has_remaining() {
            let mut slices = [IoSlice::new(&[]); 3];
            let filled = bytes.chunks_vectored(&mut slices);
            let written = Pin::new(&mut *stream).poll_write_vectored(cx, &slices[..filled]);
            match ready!(written)? {
                0 => return Poll::Ready(Err(ErrorKind::WriteZero.into())),
                written => {
                    bytes.advance(written);
                    self.pace.advance(written);
                }
            }
        }
        Pin::new(stream).poll_flush(cx)
    }
}

/// Logs what is wrong with the body of a handler, and returns the error that closes its connection.
fn failed(asked: &Asked, reason: &str) -> io::Error {
    tracing::error!(
        request_id = asked.id.as_str(),
        "the body of a route {reason}"
    );
    io::Error::other("the body of a route")
}
