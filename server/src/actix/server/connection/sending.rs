//! Sends responses over a connection.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice, Write as _};
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::{Duration, SystemTime};

use actix_web::http::{Method, StatusCode};
use bytes::{Buf, Bytes};
use docent_core::RequestId;
use tokio::io::AsyncWrite as _;
use tokio::time::timeout;

use super::receiving::HttpConnection;
use crate::actix::message::{self, REQUEST_ID};
use crate::contract::pieces::Body;
use crate::contract::response::{After, Response, Status, is_value};

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
    let mut before = head(&response, Some(id));
    let mut body = response.body;
    let is_chunked = body.length().is_none();
    if method == Method::HEAD {
        body = Body::None;
    }
    let write = async |bytes: &mut dyn Buf| {
        // Once is not enough: the system takes bytes in lumps.
        let written = timeout(time.saturating_mul(2), write_all(connection, bytes)).await;
        written.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
    };
    while let Some(piece) = next(&mut body).await {
        let piece = piece?;
        if is_chunked {
            write!(before, "{:x}\r\n", piece.len())?;
        }
        write(&mut before.as_slice().chain(piece)).await?;
        before.clear();
        if is_chunked {
            before.extend_from_slice(b"\r\n");
        }
    }
    if is_chunked && method != Method::HEAD {
        before.extend_from_slice(b"0\r\n\r\n");
    }
    write(&mut before.as_slice()).await
}

/// Returns the next piece of a body. Other tasks run first if the body asks for it.
async fn next(body: &mut Body) -> Option<io::Result<Bytes>> {
    loop {
        match body.next() {
            Poll::Ready(piece) => return piece,
            Poll::Pending => tokio::task::yield_now().await,
        }
    }
}

/// Writes all of these bytes, and waits until the stream has taken them.
async fn write_all(connection: &RefCell<HttpConnection>, bytes: &mut dyn Buf) -> io::Result<()> {
    poll_fn(|cx| {
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
    })
    .await
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
    let code = response.status.code();
    let reason = StatusCode::from_u16(code).ok();
    let reason = reason.and_then(|status| status.canonical_reason());
    let date = httpdate::HttpDate::from(SystemTime::now());
    // Writing to a vector cannot fail.
    let _ = write!(
        head,
        "HTTP/1.1 {code} {}\r\ndate: {date}\r\n",
        reason.unwrap_or_default()
    );
    for (field, value) in &response.fields {
        if is_value(value) {
            let _ = write!(head, "{}: {value}\r\n", message::name(*field));
        } else {
            tracing::error!(value = &**value, "a header field was left out");
        }
    }
    if let Some(id) = id.filter(|_| response.is_told) {
        let _ = write!(head, "{REQUEST_ID}: {id}\r\n");
    }
    let has_length = !matches!(response.status, Status::NO_CONTENT | Status::NOT_MODIFIED);
    match response.body.length() {
        Some(length) if has_length => drop(write!(head, "content-length: {length}\r\n")),
        Some(_) => {}
        None => head.extend_from_slice(b"transfer-encoding: chunked\r\n"),
    }
    if response.after != After::Open {
        head.extend_from_slice(b"connection: close\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}
