//! Reads requests from a connection: their heads, their bodies, and what arrives behind them.
//!
//! The grammar is that of actix-http's decoder. What it does not bound is bounded here: how much is
//! read ahead, the size of heads and of chunks' framing.

use std::cell::RefCell;
use std::future::poll_fn;
use std::mem::MaybeUninit;
use std::net::Ipv6Addr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_codec::Decoder as _;
use actix_http::error::{ParseError, PayloadError};
use actix_http::h1::{Codec, Message};
use actix_http::{Request, ServiceConfig};
use actix_web::http::header::{HOST, TRANSFER_ENCODING};
use bytes::{Buf as _, Bytes, BytesMut};
use docent_http::{Upload, UploadError};
use memchr::memchr;
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::invalid_head::{BARE_LF, InvalidHead, MALFORMED_HEAD, NO_HOST, TOO_LONG, WITH_TLS};
use super::stream::Stream;
use crate::actix::upload::announced;

/// The maximum number of bytes that are read at once, and that are read after a request before it has been
/// answered.
const MAX_BYTES_AHEAD: usize = 16 << 10;

/// The maximum size of a head. actix-http rejects longer ones, too.
const MAX_HEAD_BYTES: usize = 128 << 10;

/// The maximum size of what frames a chunked body between two pieces of it: extensions and trailers.
const MAX_FRAMING_BYTES: usize = 16 << 10;

/// The interval at which a connection with unread bytes is asked whether its peer has left.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// The maximum number of polls for a response after the peer has closed its side. It may have closed its
/// sending side only, so a response that is ready at once is still sent.
const MAX_POLLS_AFTER_CLOSE: u8 = 16;

/// The response to a client that waits for permission to send its body.
const CONTINUE_RESPONSE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// The first byte that a client sends in TLS. No head of a request starts with it.
const HANDSHAKE_BYTE: u8 = 22;

/// A connection, and the request that it is reading.
pub(super) struct HttpConnection {
    pub(super) stream: Box<dyn Stream>,
    codec: Codec,
    /// The bytes that have arrived and not been decoded.
    buffer: BytesMut,
    /// The length of the lines in the buffer that are known to belong to a head.
    checked: usize,
    body: Framing,
    /// The part that has not been sent of the permission to send the body, which is given when the body
    /// is wanted.
    permission: &'static [u8],
    /// True if the peer sends no more bytes.
    has_ended: bool,
    /// The time until the peer is looked for behind unread bytes.
    look: Option<Pin<Box<Sleep>>>,
}

/// A connection, which the body of its current request shares.
pub(super) type SharedConnection = Rc<RefCell<HttpConnection>>;

/// The part of a body that is still to be decoded.
enum Framing {
    /// A number of bytes, which may be zero.
    Sized(usize),
    /// Chunks, and the length of what has arrived of the framing before the next one.
    Chunked(usize),
    /// A body that is malformed or cut short.
    Broken,
}

impl HttpConnection {
    pub(super) fn new(stream: Box<dyn Stream>, config: &ServiceConfig) -> Self {
        Self {
            stream,
            codec: Codec::new(config.clone()),
            buffer: BytesMut::new(),
            checked: 0,
            body: Framing::Sized(0),
            permission: &[],
            has_ended: false,
            look: None,
        }
    }

    /// Returns the stream and the bytes that have arrived on it and not been decoded.
    #[cfg(feature = "websocket")]
    pub(super) fn into_parts(self) -> (Box<dyn Stream>, BytesMut) {
        (self.stream, self.buffer)
    }

    /// Returns the configuration of the decoder, which all connections of a worker share.
    pub(super) fn config(&self) -> &ServiceConfig {
        self.codec.config()
    }

    /// Returns whether no byte of the next request has arrived. Such a connection keeps no buffer.
    pub(super) fn has_nothing(&mut self) -> bool {
        if self.buffer.is_empty() {
            self.buffer = BytesMut::new();
        }
        self.buffer.is_empty()
    }

    /// Returns whether the end of the request has been decoded.
    pub(super) fn is_at_end(&self) -> bool {
        matches!(self.body, Framing::Sized(0))
    }

    /// Reads more bytes, and returns how many. Zero is the end; after an error, nothing can be read
    /// either.
    pub(super) fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        self.poll_fill_up(cx, MAX_BYTES_AHEAD)
    }

    fn poll_fill_up(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<usize> {
        if self.has_ended {
            return Poll::Ready(0);
        }
        // On the stack, so that a connection without requests has no buffer.
        let mut piece = [const { MaybeUninit::uninit() }; MAX_BYTES_AHEAD];
        let mut read = ReadBuf::uninit(&mut piece[..most]);
        let outcome = ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read));
        self.has_ended = outcome.is_err() || read.filled().is_empty();
        self.buffer.extend_from_slice(read.filled());
        Poll::Ready(read.filled().len())
    }

    /// Reads bytes that are of no use.
    pub(super) fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        self.buffer.clear();
        self.poll_fill(cx)
    }

    pub(super) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.stream).poll_shutdown(cx).map(|_| ())
    }

    /// Waits for the peer to leave while a response is outstanding, and reads a little meanwhile.
    pub(super) fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let room = MAX_BYTES_AHEAD.saturating_sub(self.buffer.len());
            if room > 0 {
                if ready!(self.poll_fill_up(cx, room)) == 0 {
                    return Poll::Ready(());
                }
                continue;
            }
            // A socket with unread bytes says nothing of a disconnect behind them.
            if self.stream.is_closed() {
                return Poll::Ready(());
            }
            let look = self
                .look
                .get_or_insert_with(|| Box::pin(sleep(LOOK_INTERVAL)));
            ready!(look.as_mut().poll(cx));
            self.look = None;
        }
    }

    /// Reads the head of the next request. Returns `None` if the peer leaves before its end.
    pub(super) fn poll_head(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Request>, InvalidHead>> {
        loop {
            if let Some(request) = self.decode_head()? {
                return Poll::Ready(Ok(Some(request)));
            }
            if ready!(self.poll_fill(cx)) == 0 {
                return Poll::Ready(Ok(None));
            }
        }
    }

    fn decode_head(&mut self) -> Result<Option<Request>, InvalidHead> {
        // Empty lines may precede a request line.
        while self.buffer.starts_with(b"\r\n") {
            self.buffer.advance(2);
            self.checked = 0;
        }
        if self.buffer.first() == Some(&HANDSHAKE_BYTE) {
            return Err(WITH_TLS);
        }
        if !self.has_head()? {
            let is_too_long = self.buffer.len() >= MAX_HEAD_BYTES;
            return if is_too_long { Err(TOO_LONG) } else { Ok(None) };
        }
        self.checked = 0;
        let request = match self.codec.decode(&mut self.buffer) {
            Ok(Some(Message::Item(request))) => request,
            Err(ParseError::TooLarge) => return Err(TOO_LONG),
            _ => return Err(MALFORMED_HEAD),
        };
        let headers = &request.head().headers;
        let host = headers.get(HOST);
        if host.is_some_and(|host| !is_host(host.as_bytes())) {
            return Err(NO_HOST);
        }
        if headers.contains_key(TRANSFER_ENCODING) {
            self.body = Framing::Chunked(0);
        } else {
            // After an offer to become a WebSocket, actix-http would read to the end of the connection.
            self.codec = Codec::new(self.codec.config().clone());
            self.body = Framing::Sized(announced(request.head()).unwrap_or(0));
        }
        let waits = request.head().expect() && self.buffer.is_empty() && !self.is_at_end();
        self.permission = if waits { CONTINUE_RESPONSE } else { &[] };
        Ok(Some(request))
    }

    /// Returns whether all lines of a head have arrived. Lines that have been checked before are not
    /// checked again when more bytes arrive.
    fn has_head(&mut self) -> Result<bool, InvalidHead> {
        while let Some(length) = memchr(b'\n', &self.buffer[self.checked..]) {
            let end = self.checked + length;
            if !self.buffer[..end].ends_with(b"\r") {
                return Err(BARE_LF);
            }
            self.checked = end + 1;
            if length == 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the next piece of the body.
    pub(super) fn poll_body(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, PayloadError>>> {
        loop {
            match self.decode_body() {
                Ok(Some(piece)) if piece.is_empty() => return Poll::Ready(None),
                Ok(Some(piece)) => return Poll::Ready(Some(Ok(piece))),
                Ok(None) => {}
                Err(error) => {
                    self.body = Framing::Broken;
                    return Poll::Ready(Some(Err(error)));
                }
            }
            if ready!(self.poll_permission(cx)).is_err() || ready!(self.poll_fill(cx)) == 0 {
                self.body = Framing::Broken;
            }
        }
    }

    /// Returns the next piece of the body, which is empty at the end, or `None` if it has not arrived.
    fn decode_body(&mut self) -> Result<Option<Bytes>, PayloadError> {
        match &mut self.body {
            Framing::Sized(0) => Ok(Some(Bytes::new())),
            Framing::Sized(_) if self.buffer.is_empty() => Ok(None),
            Framing::Sized(left) => {
                let piece = self.buffer.split_to(self.buffer.len().min(*left));
                *left -= piece.len();
                Ok(Some(piece.freeze()))
            }
            Framing::Chunked(framing) => {
                let before = self.buffer.len();
                let decoded = self.codec.decode(&mut self.buffer);
                match decoded.map_err(|_| PayloadError::EncodingCorrupted)? {
                    Some(Message::Chunk(Some(piece))) => {
                        *framing = 0;
                        return Ok(Some(piece));
                    }
                    Some(_) => {
                        self.body = Framing::Sized(0);
                        return Ok(Some(Bytes::new()));
                    }
                    None => *framing += before - self.buffer.len(),
                }
                if *framing > MAX_FRAMING_BYTES {
                    return Err(PayloadError::EncodingCorrupted);
                }
                Ok(None)
            }
            Framing::Broken => Err(PayloadError::Incomplete(None)),
        }
    }

    /// Discards what has arrived of the body.
    pub(super) fn skip_arrived(&mut self) {
        while self.permission.is_empty()
            && matches!(self.decode_body(), Ok(Some(piece)) if !piece.is_empty())
        {}
    }

    /// Tells a client that waits for it to send its body.
    pub(super) fn poll_permission(&mut self, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        while !self.permission.is_empty() {
            let sent = ready!(Pin::new(&mut self.stream).poll_write(cx, self.permission))?;
            self.permission = &self.permission[sent..];
            if self.permission.is_empty() {
                // It is sent at once, unless the peer does not read, and then it does not wait for it.
                let _ = Pin::new(&mut self.stream).poll_flush(cx);
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The body of the request that has arrived.
pub(super) struct IncomingBody<'c> {
    connection: &'c SharedConnection,
    announced: Option<usize>,
}

impl<'c> IncomingBody<'c> {
    pub(super) fn new(connection: &'c SharedConnection) -> Self {
        let announced = match connection.borrow().body {
            Framing::Sized(length) => Some(length),
            Framing::Chunked(_) | Framing::Broken => None,
        };
        Self {
            connection,
            announced,
        }
    }
}

impl Upload for IncomingBody<'_> {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>> {
        let piece = ready!(self.connection.borrow_mut().poll_body(cx));
        Poll::Ready(piece.map(|piece| piece.map_err(|_| UploadError::Broken)))
    }

    fn announced(&self) -> Option<usize> {
        self.announced
    }

    fn is_withheld(&self) -> bool {
        !self.connection.borrow().permission.is_empty()
    }
}

/// Notices that the peer leaves a connection while a response is outstanding.
pub(super) struct Watch<'c> {
    connection: &'c RefCell<HttpConnection>,
    polls_left: u8,
}

impl<'c> Watch<'c> {
    pub(super) fn new(connection: &'c SharedConnection) -> Self {
        Self {
            connection,
            polls_left: MAX_POLLS_AFTER_CLOSE,
        }
    }

    /// Begins again, after a part of the response was ready.
    pub(super) fn renew(&mut self) {
        self.polls_left = MAX_POLLS_AFTER_CLOSE;
    }

    /// Waits for the peer to leave. To be polled when the response is still not ready.
    pub(super) fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.connection.borrow_mut().poll_gone(cx));
        if self.polls_left == 0 {
            return Poll::Ready(());
        }
        self.polls_left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Waits for a response, or for the peer to leave the connection. Returns `None` if it has left.
pub(super) fn unless_gone<'c, T, F: Future<Output = T>>(
    connection: &'c SharedConnection,
    mut responding: Pin<&'c mut F>,
) -> impl Future<Output = Option<T>> + use<'c, T, F> {
    let mut watch = Watch::new(connection);
    poll_fn(move |cx| {
        if let Poll::Ready(response) = responding.as_mut().poll(cx) {
            return Poll::Ready(Some(response));
        }
        ready!(watch.poll_gone(cx));
        Poll::Ready(None)
    })
}

/// Returns whether a value is `uri-host [ ":" port ]` (RFC 9112, section 3.2). It is empty if the
/// target has no authority.
fn is_host(value: &[u8]) -> bool {
    let colon = value.iter().rposition(|byte| *byte == b':');
    let (host, port) = match colon {
        Some(colon) if !value.ends_with(b"]") => (&value[..colon], &value[colon + 1..]),
        _ => (value, &[][..]),
    };
    let is_named = match host.strip_prefix(b"[") {
        Some(host) => {
            let address = host.strip_suffix(b"]").map(str::from_utf8);
            matches!(address, Some(Ok(address)) if address.parse::<Ipv6Addr>().is_ok())
        }
        None => host
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte)),
    };
    is_named && port.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::io::{AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    impl Stream for DuplexStream {
        fn is_closed(&self) -> bool {
            false
        }
    }

    /// Returns a connection on which these bytes have arrived, and its peer.
    async fn sent(bytes: &[u8]) -> (HttpConnection, DuplexStream) {
        let (mut peer, stream) = duplex(1 << 20);
        peer.write_all(bytes).await.expect("they are sent");
        let connection = HttpConnection::new(Box::new(stream), &ServiceConfig::default());
        (connection, peer)
    }

    /// Returns the body of a request, or an error.
    async fn read(connection: &mut HttpConnection) -> Result<Vec<u8>, PayloadError> {
        let mut body = Vec::new();
        while let Some(piece) = poll_fn(|cx| connection.poll_body(cx)).await {
            body.extend_from_slice(&piece?);
        }
        Ok(body)
    }

    #[docent::test]
    async fn a_head_that_comes_byte_by_byte_is_found_when_its_last_byte_is_there() {
        let (mut connection, mut peer) = sent(b"\r\n").await;
        let head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n";
        for byte in head {
            let early = poll_fn(|cx| connection.poll_head(cx)).now_or_never();
            assert!(early.is_none());
            peer.write_all(&[*byte]).await.expect("it is sent");
        }
        let whole = poll_fn(|cx| connection.poll_head(cx)).await;
        assert!(matches!(whole, Ok(Some(_))));
        peer.write_all(b"1 2GET").await.expect("it is sent");
        assert_eq!(read(&mut connection).await.expect("a body"), b"1 2");
        assert_eq!(&connection.buffer[..], b"GET");
    }

    #[docent::test]
    async fn an_ambiguous_or_malformed_head_is_refused() {
        for (fields, refused) in [
            ("Host: localhost", None),
            ("HOST:\tLocalhost:8080 ", None),
            ("Host: [::1]:80", None),
            ("Host: 127.0.0.1:", None),
            ("Host: _a-b.example~d", None),
            ("Host:", None),
            ("Host: x\nX: y", Some(BARE_LF)),
            ("Host: a b", Some(NO_HOST)),
            ("Host: ::1", Some(NO_HOST)),
            ("Host: [::1", Some(NO_HOST)),
            ("Host: [::1]80", Some(NO_HOST)),
            ("Host: [:::::]", Some(NO_HOST)),
            ("Host: localhost:http", Some(NO_HOST)),
            ("Host: localhost:80:80", Some(NO_HOST)),
            ("Host: user@localhost", Some(NO_HOST)),
            ("Host: http://localhost", Some(NO_HOST)),
            ("Host: \u{e9}", Some(NO_HOST)),
            ("Host: a\r\nX: y\r\nhost:", Some(MALFORMED_HEAD)),
            ("X: y", Some(MALFORMED_HEAD)),
            // Two lengths of one body.
            (
                "Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
                Some(MALFORMED_HEAD),
            ),
            (
                "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 2",
                Some(MALFORMED_HEAD),
            ),
            (
                "Host: x\r\nContent-Length: 2\r\nContent-Length: 3",
                Some(MALFORMED_HEAD),
            ),
        ] {
            let head = format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n");
            let (mut connection, _peer) = sent(head.as_bytes()).await;
            let read = poll_fn(|cx| connection.poll_head(cx)).await;
            assert_eq!(read.err(), refused, "{fields:?}");
        }
    }

    #[docent::test]
    async fn extensions_and_trailers_without_end_are_a_framing_that_is_wrong() {
        for beginning in ["5;", "5\r\nhello\r\n0\r\nTrailer: "] {
            for (length, ends) in [
                (MAX_FRAMING_BYTES / 2, false),
                (MAX_FRAMING_BYTES * 3, true),
            ] {
                let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
                let text = format!("{head}{beginning}{}", "x".repeat(length));
                let (mut connection, _peer) = sent(text.as_bytes()).await;
                let head = poll_fn(|cx| connection.poll_head(cx)).await;
                assert!(matches!(head, Ok(Some(_))));
                let body = read(&mut connection).now_or_never();
                assert_eq!(body.is_some_and(|body| body.is_err()), ends, "{beginning}");
            }
        }
    }
}
