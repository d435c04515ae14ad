//! Sends responses over a connection: those of the contract, and those of routes of one's own.
//!
//! A caller that does not read must not keep a connection for ever, so it has to read at a pace. The fields that
//! frame a message are written here, whatever a handler has set.

use std::borrow::Cow;
use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use actix_http::{ConnectionType, RequestHead, ResponseHead, ServiceConfig};
use actix_web::http::header::{
    CONNECTION, CONTENT_LENGTH, DATE, HeaderName, TRANSFER_ENCODING, UPGRADE,
};
use actix_web::http::{Method, Version};
use bytes::{Buf, Bytes, BytesMut};
use docent_core::RequestId;
use docent_http::{Body, ConnectionState, MAX_STALL, MIN_PROGRESS, Response, is_value};
use http::StatusCode;
use tokio::io::AsyncWrite as _;
use tokio::time::sleep;

use super::pace::Pace;
use super::receiving::{HttpConnection, SharedConnection, Watch};
use super::worker::Worker;
use crate::actix::message::{REQUEST_ID, request_id};

/// The number of buffers in a write: a head, and three pieces between the size and the end of a chunk.
const MAX_BUFFERS: usize = 6;

/// The time that a body of unknown length has after the server has begun to shut down, or after its own beginning.
const UNKNOWN_LENGTH_GRACE: Duration = Duration::from_secs(1);

/// The size of a body up to which it is copied behind its head: that takes less than writing two buffers.
const MAX_COPIED_BYTES: usize = 4 << 10;

/// The part of a request that decides the form of its response.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) id: RequestId,
    pub(super) version: Version,
    /// True for HEAD, whose response has no body.
    pub(super) is_head: bool,
    /// True if the connection closes after the response.
    pub(super) is_last: bool,
}

impl Asked {
    pub(super) fn new(head: &RequestHead, worker: &Worker) -> Self {
        Self {
            id: request_id(head),
            version: head.version,
            is_head: head.method == Method::HEAD,
            is_last: head.connection_type() == ConnectionType::Close
                || head.version < Version::HTTP_11
                || worker.times.keep_alive.is_zero(),
        }
    }
}

/// The body of a response, as it is sent.
pub(super) trait OutgoingBody {
    /// Returns the length, unless the body is made while it is sent.
    fn known_length(&self) -> Option<usize>;

    /// Returns the next pieces, which are written together, or `None` at the end.
    ///
    /// # Errors
    /// The body has failed, or its peer has left. The connection has to be closed.
    fn poll_pieces(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Pieces>>>;

    /// Returns the time in which a peer has to read some of a body that goes on, if it has less than for others.
    fn stall_limit(&self) -> Option<Duration> {
        None
    }

    /// Returns the head that a handler of actix-web has made. It travels with the body, because its values are bytes,
    /// which the fields of a [`Response`] are not.
    fn own_head(&self) -> Option<&ResponseHead> {
        None
    }
}

/// Pieces of a body that are written together. Some may be empty. There are three, because a description has three.
pub(super) type Pieces = [Bytes; 3];

impl OutgoingBody for Body {
    fn known_length(&self) -> Option<usize> {
        self.length()
    }

    fn poll_pieces(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Pieces>>> {
        let mut pieces = Pieces::default();
        if let Self::Events(_) = self {
            // The next piece is asked for once this one has been written.
            let piece = ready!(self.poll_piece(cx, MIN_PROGRESS)).transpose()?;
            return Poll::Ready(piece.map(|piece| Ok([piece, Bytes::new(), Bytes::new()])));
        }
        let mut left = MIN_PROGRESS;
        for piece in &mut pieces {
            let Some(next) = ready!(self.poll_piece(cx, left)).transpose()? else {
                break;
            };
            left = left.saturating_sub(next.len());
            *piece = next;
            if left == 0 {
                break;
            }
        }
        Poll::Ready((left < MIN_PROGRESS).then_some(Ok(pieces)))
    }

    fn stall_limit(&self) -> Option<Duration> {
        matches!(self, Self::Events(_)).then_some(MAX_STALL)
    }
}

/// A body that fails if its peer leaves while it waits.
struct Watched<'c, B> {
    body: B,
    watch: Option<Watch<'c>>,
}

impl<B: OutgoingBody> OutgoingBody for Watched<'_, B> {
    fn known_length(&self) -> Option<usize> {
        self.body.known_length()
    }

    fn poll_pieces(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Pieces>>> {
        let polled = self.body.poll_pieces(cx);
        let Some(watch) = &mut self.watch else {
            return polled;
        };
        if polled.is_ready() {
            watch.renew();
            return polled;
        }
        ready!(watch.poll_gone(cx));
        Poll::Ready(Some(Err(ErrorKind::ConnectionAborted.into())))
    }

    fn stall_limit(&self) -> Option<Duration> {
        self.body.stall_limit()
    }

    fn own_head(&self) -> Option<&ResponseHead> {
        self.body.own_head()
    }
}

/// The end of a body on the wire.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResponseFraming {
    /// There is no body.
    Nothing,
    /// Another protocol follows the head.
    OtherProtocol,
    Length(usize),
    Chunked,
    /// It ends with the connection, because HTTP/1.0 has no chunks.
    ToTheEnd,
}

impl ResponseFraming {
    fn new(response: &Response<impl OutgoingBody>, version: Version) -> Self {
        match response.status {
            StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED => return Self::Nothing,
            StatusCode::SWITCHING_PROTOCOLS => return Self::OtherProtocol,
            _ => {}
        }
        match response.body.known_length() {
            Some(length) => Self::Length(length),
            None if version < Version::HTTP_11 => Self::ToTheEnd,
            None => Self::Chunked,
        }
    }
}

/// Sends a response, and returns the state of the connection after it, or `None` if the connection is broken, its peer
/// too slow, or the body has failed. The response is borrowed, so that none of the futures here has a copy of its own.
pub(super) async fn send<B: OutgoingBody>(
    connection: &SharedConnection,
    asked: &Asked,
    response: &mut Response<B>,
    worker: &Worker,
) -> Option<ConnectionState> {
    if response.after == ConnectionState::Open && !connection.borrow().is_at_end() {
        response.after = ConnectionState::Drain;
    } else if response.after == ConnectionState::Open && asked.is_last {
        response.after = ConnectionState::Close;
    }
    let written = write_response(connection, asked, response, worker.time_to_read()).await;
    written.ok().map(|()| response.after)
}

/// A response that goes on, and what decides how it is sent.
pub(super) struct ResponseStream {
    pub(super) asked: Asked,
    pub(super) response: Response,
}

/// Sends a response whose body may have to wait. If `watches`, it is given up when its peer leaves meanwhile. A body of
/// unknown length ends when the server shuts down, which does not wait for it, because it might go on for ever.
pub(super) fn send_watched<B: OutgoingBody>(
    connection: &SharedConnection,
    asked: Asked,
    response: Response<B>,
    watches: bool,
    worker: &Worker,
) -> impl Future<Output = Option<ConnectionState>> {
    let watch = watches.then(|| Watch::new(connection));
    let mut response = response.map(|body| Watched { body, watch });
    let has_unknown_length = response.body.known_length().is_none();
    async move {
        let mut sending = pin!(send(connection, &asked, &mut response, worker));
        let mut stopped = pin!(async {
            worker.stops().await;
            sleep(UNKNOWN_LENGTH_GRACE).await;
        });
        let mut stop_waker: Option<Waker> = None;
        poll_fn(|cx| {
            if let Poll::Ready(after) = sending.as_mut().poll(cx) {
                return Poll::Ready(after);
            }
            // Each item wakes this task, and the server stops once.
            let waker = stop_waker.as_ref();
            let is_known = waker.is_some_and(|waker| waker.will_wake(cx.waker()));
            if !has_unknown_length || (is_known && !worker.is_shutting_down()) {
                return Poll::Pending;
            }
            stop_waker = Some(cx.waker().clone());
            stopped.as_mut().poll(cx).map(|()| None)
        })
        .await
    }
}

async fn write_response<B: OutgoingBody>(
    connection: &SharedConnection,
    asked: &Asked,
    response: &mut Response<B>,
    time: Duration,
) -> io::Result<()> {
    let framing = ResponseFraming::new(response, asked.version);
    let head = head(
        response,
        framing,
        Some(&asked.id),
        Some(connection.borrow().config()),
    );
    // A body that waits keeps no fields.
    response.fields = Vec::new();
    let mut writer = Writer {
        connection,
        pace: match response.body.stall_limit() {
            Some(limit) => Pace::of_events(limit),
            None => Pace::new(time),
        },
    };
    let has_body = !matches!(
        framing,
        ResponseFraming::Nothing | ResponseFraming::OtherProtocol
    );
    if asked.is_head || !has_body {
        return writer.write(head.as_slice()).await;
    }
    writer
        .write_body(head, &mut response.body, framing, asked)
        .await
}

/// Writes a response that is in one piece, for all connections that close after it. It has no date,
/// because it is written once, and only errors of a client need one (RFC 9110, section 6.6.1).
pub(in crate::actix::server) fn to_bytes(response: Response) -> Vec<u8> {
    let framing = ResponseFraming::new(&response, Version::HTTP_11);
    let mut bytes = head(&response, framing, None, None);
    if let Body::Whole(body) = response.body {
        bytes.extend_from_slice(&body);
    }
    bytes
}

/// Writes the head of a response, with the date that each worker writes twice a second.
fn head(
    response: &Response<impl OutgoingBody>,
    framing: ResponseFraming,
    id: Option<&RequestId>,
    date: Option<&ServiceConfig>,
) -> Vec<u8> {
    let mut start = BytesMut::with_capacity(512);
    let own = response.body.own_head();
    let reason = match own {
        Some(own) => own.reason(),
        None => response.status.canonical_reason().unwrap_or_default(),
    };
    for text in ["HTTP/1.1 ", response.status.as_str(), " ", reason, "\r\n"] {
        start.extend_from_slice(text.as_bytes());
    }
    if let Some(date) = date
        && !own.is_some_and(|own| own.headers.contains_key(DATE))
    {
        date.write_date_header(&mut start, false);
    }
    // This copies nothing, and bytes are appended to a vector with fewer steps.
    let mut head = Vec::from(start);
    for (name, value) in &response.fields {
        // A constant is well-formed, because we wrote it.
        if matches!(value, Cow::Borrowed(_)) || is_value(value) {
            write_field(&mut head, name.as_str(), value.as_bytes());
        } else {
            tracing::error!(value = &**value, "a header field was left out");
        }
    }
    for (name, value) in own.into_iter().flat_map(|own| &own.headers) {
        if !is_set_by_server(name) {
            write_field(&mut head, name.as_str(), value.as_bytes());
        }
    }
    if let Some(id) = id
        && response.is_told
    {
        write_field(&mut head, REQUEST_ID.as_str(), id.as_bytes());
    }
    match framing {
        ResponseFraming::Length(length) => {
            write_field(&mut head, "content-length", length.to_string().as_bytes());
        }
        ResponseFraming::Chunked => write_field(&mut head, "transfer-encoding", b"chunked"),
        ResponseFraming::OtherProtocol | ResponseFraming::Nothing | ResponseFraming::ToTheEnd => {}
    }
    // Each of these has a field that names the other protocol.
    if matches!(
        response.status,
        StatusCode::SWITCHING_PROTOCOLS | StatusCode::UPGRADE_REQUIRED
    ) {
        write_field(&mut head, "connection", b"upgrade");
    }
    if framing != ResponseFraming::OtherProtocol && response.after != ConnectionState::Open {
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

#[inline]
fn write_field(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    for bytes in [name.as_bytes(), b": ", value, b"\r\n"] {
        head.extend_from_slice(bytes);
    }
}

struct Writer<'c> {
    connection: &'c RefCell<HttpConnection>,
    pace: Pace,
}

impl Writer<'_> {
    /// Writes a head together with the first pieces of its body, if they are there at once, and then the rest of
    /// the body. It is read to its end even if its length is known, because a handler may do something there.
    async fn write_body(
        &mut self,
        mut head: Vec<u8>,
        body: &mut impl OutgoingBody,
        framing: ResponseFraming,
        asked: &Asked,
    ) -> io::Result<()> {
        let mut length = 0;
        loop {
            let polled = poll_fn(|cx| match body.poll_pieces(cx) {
                // There is nothing to write meanwhile.
                Poll::Pending if head.is_empty() => Poll::Pending,
                polled => Poll::Ready(polled),
            });
            let pieces = match polled.await {
                Poll::Ready(pieces) => pieces,
                Poll::Pending => {
                    self.write(head.as_slice()).await?;
                    head.clear();
                    poll_fn(|cx| body.poll_pieces(cx)).await
                }
            };
            let Some(pieces) = pieces.transpose()? else {
                break;
            };
            let more: usize = pieces.iter().map(Bytes::len).sum();
            length += more;
            if matches!(framing, ResponseFraming::Length(announced) if length > announced) {
                return Err(failed(asked, "is longer than announced"));
            }
            // An empty chunk would be the last.
            if more == 0 {
                continue;
            }
            let [first, second, third] = pieces;
            let pieces = first.chain(second).chain(third);
            if framing == ResponseFraming::Length(more) && more <= MAX_COPIED_BYTES {
                copy(pieces, &mut head);
                continue;
            }
            if framing == ResponseFraming::Chunked {
                let size = format!("{more:x}\r\n");
                let chunk = size.as_bytes().chain(pieces).chain(&b"\r\n"[..]);
                if more <= MAX_COPIED_BYTES {
                    head.reserve(chunk.remaining());
                    copy(chunk, &mut head);
                    self.write(head.as_slice()).await?;
                } else {
                    self.write(head.as_slice().chain(chunk)).await?;
                }
            } else {
                self.write(head.as_slice().chain(pieces)).await?;
            }
            // A body that waits keeps no buffer.
            head = Vec::new();
        }
        match framing {
            ResponseFraming::Length(announced) if length < announced => {
                return Err(failed(asked, "is shorter than announced"));
            }
            ResponseFraming::Chunked => head.extend_from_slice(b"0\r\n\r\n"),
            _ => {}
        }
        if head.is_empty() {
            return Ok(());
        }
        self.write(head.as_slice()).await
    }

    /// Writes all of these bytes, and waits until the stream has taken them.
    async fn write(&mut self, mut bytes: impl Buf) -> io::Result<()> {
        poll_fn(|cx| {
            let written = self.poll_write(cx, &mut bytes);
            if written.is_pending() {
                ready!(self.pace.poll_over(cx));
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            // The peer is no longer waited for, even if the handler now takes its time.
            self.pace.advance(0);
            written
        })
        .await
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &mut impl Buf) -> Poll<io::Result<()>> {
        let stream = &mut self.connection.borrow_mut().stream;
        while bytes.has_remaining() {
            // A write of one buffer costs the system less than one of a list.
            let written = if bytes.chunk().len() == bytes.remaining() {
                Pin::new(&mut *stream).poll_write(cx, bytes.chunk())
            } else {
                let mut slices = [IoSlice::new(&[]); MAX_BUFFERS];
                let filled = bytes.chunks_vectored(&mut slices);
                Pin::new(&mut *stream).poll_write_vectored(cx, &slices[..filled])
            };
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

/// Appends all of these bytes to a buffer.
fn copy(mut bytes: impl Buf, buffer: &mut Vec<u8>) {
    while bytes.has_remaining() {
        let chunk = bytes.chunk();
        buffer.extend_from_slice(chunk);
        bytes.advance(chunk.len());
    }
}

/// Logs what is wrong with the body of a handler, and returns the error that closes its connection.
pub(super) fn failed(asked: &Asked, reason: &str) -> io::Error {
    tracing::error!(
        request_id = asked.id.as_str(),
        "the body of a route {reason}"
    );
    io::Error::other("the body of a route")
}
