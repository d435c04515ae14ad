//! Sends responses over a connection.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice, Write as _};
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::{Duration, SystemTime};

use actix_web::http::Method;
use bytes::{Buf, Bytes};
use docent_core::RequestId;
use docent_http::is_value;
use docent_http::pieces::Body;
use docent_http::response::{After, Response};
use http::StatusCode;
use tokio::io::AsyncWrite as _;
use tokio::time::timeout;

use super::receiving::HttpConnection;
use crate::actix::message::REQUEST_ID;

/// Sends a response to a request with this method.
///
/// # Errors
/// The connection is broken. `TimedOut`: the peer has read too little in twice the time.
pub(super) async fn send(
    connection: &RefCell<HttpConnection>,
    method: &Method,
    response: Response,
    id: &RequestId,
    time: Duration,
) -> io::Result<()> {
    let head = Bytes::from(head(&response, Some(id)));
    let mut body = response.body;
    let first = match body.next_piece() {
        Some(piece) if method != Method::HEAD => piece?,
        _ => return write_all(connection, head, time).await,
    };
    write_all(connection, head.chain(first), time).await?;
    while let Some(piece) = body.next_piece() {
        write_all(connection, piece?, time).await?;
    }
    Ok(())
}

/// Writes all of these bytes, and waits until the stream has taken them: at most twice the time, because
/// the system takes bytes in lumps.
async fn write_all(
    connection: &RefCell<HttpConnection>,
    mut bytes: impl Buf,
    time: Duration,
) -> io::Result<()> {
    let written = poll_fn(|cx| {
        let stream = &mut connection.borrow_mut().stream;
        while bytes.has_remaining() {
            let mut slices = [IoSlice::new(&[]); 2];
            let filled = bytes.chunks_vectored(&mut slices);
            let written = Pin::new(&mut *stream).poll_write_vectored(cx, &slices[..filled]);
            match ready!(written)? {
                0 => return Poll::Ready(Err(ErrorKind::WriteZero.into())),
                written => bytes.advance(written),
            }
        }
        Pin::new(stream).poll_flush(cx)
    });
    let written = timeout(time.saturating_mul(2), written).await;
    written.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

/// Writes a response that is in one piece, for a connection that closes after it.
pub(in crate::actix::server) fn whole(response: Response) -> Vec<u8> {
    let mut bytes = head(&response, None);
    if let Body::Whole(body) = response.body {
        bytes.extend_from_slice(&body);
    }
    bytes
}

/// Writes the head of a response.
fn head(response: &Response, id: Option<&RequestId>) -> Vec<u8> {
    let mut head = Vec::with_capacity(512);
    let code = response.status.as_u16();
    let reason = response.status.canonical_reason().unwrap_or_default();
    let date = httpdate::HttpDate::from(SystemTime::now());
    // Writing to a vector cannot fail.
    let _ = write!(head, "HTTP/1.1 {code} {reason}\r\ndate: {date}\r\n");
    for (field, value) in &response.fields {
        if is_value(value) {
            let _ = write!(head, "{field}: {value}\r\n");
        } else {
            tracing::error!(value = &**value, "a header field was left out");
        }
    }
    if let Some(id) = id.filter(|_| response.is_told) {
        let _ = write!(head, "{REQUEST_ID}: {id}\r\n");
    }
    let has_length = !matches!(
        response.status,
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED
    );
    if has_length {
        let _ = write!(head, "content-length: {}\r\n", response.body.length());
    }
    if response.after != After::Open {
        head.extend_from_slice(b"connection: close\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}
