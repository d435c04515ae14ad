//! Sends responses over a connection.
//!
//! A caller that does not read must not keep a connection for ever, so each write has a time limit.
//! The body comes from the contract, piece by piece.

use std::borrow::Cow;
use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::Duration;

use actix_http::ServiceConfig;
use actix_web::http::Method;
use bytes::{Buf, BytesMut};
use docent_core::RequestId;
use docent_http::Body;
use docent_http::MIN_PROGRESS;
use docent_http::is_value;
use docent_http::{ConnectionState, Response};
use tokio::io::AsyncWrite as _;

use super::receiving::HttpConnection;
use crate::actix::message::REQUEST_ID;
use crate::actix::time_limit::TimeLimit;

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
    let head = head(&response, Some(id), Some(connection.borrow().config()));
    let mut body = response.body;
    if method == Method::HEAD {
        body = Body::None;
    }
    let first = body
        .next_piece(MIN_PROGRESS)
        .transpose()?
        .unwrap_or_default();
    write_all(connection, head.as_slice().chain(first), time).await?;
    while let Some(piece) = body.next_piece(MIN_PROGRESS) {
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
    TimeLimit::new(time.saturating_mul(2))
        .keep(written)
        .await
        .unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
}

/// Writes a response that is in one piece, for all connections that close after it. It has no date,
/// because it is written once, and only errors of a client need one (RFC 9110, section 6.6.1).
pub(in crate::actix::server) fn whole(response: Response) -> Vec<u8> {
    let mut bytes = head(&response, None, None);
    if let Body::Whole(body) = response.body {
        bytes.extend_from_slice(&body);
    }
    bytes
}

/// Writes the head of a response, with the date that each worker writes twice a second.
fn head(response: &Response, id: Option<&RequestId>, date: Option<&ServiceConfig>) -> Vec<u8> {
    let mut start = BytesMut::with_capacity(512);
    let reason = response.status.canonical_reason().unwrap_or_default();
    for text in ["HTTP/1.1 ", response.status.as_str(), " ", reason, "\r\n"] {
        start.extend_from_slice(text.as_bytes());
    }
    if let Some(date) = date {
        date.write_date_header(&mut start, false);
    }
    // This copies nothing, and bytes are appended to a vector with fewer steps.
    let mut head = Vec::from(start);
    for (field, value) in &response.fields {
        // A constant is well-formed, because we wrote it.
        if matches!(value, Cow::Borrowed(_)) || is_value(value) {
            extend(&mut head, [field.as_str(), ": ", value, "\r\n"]);
        } else {
            tracing::error!(value = &**value, "a header field was left out");
        }
    }
    if let Some(id) = id
        && response.is_told
    {
        extend(&mut head, [REQUEST_ID.as_str(), ": ", id.as_str(), "\r\n"]);
    }
    if !matches!(response.status.as_u16(), 204 | 304) {
        extend(
            &mut head,
            [
                "content-length: ",
                &response.body.length().to_string(),
                "\r\n",
            ],
        );
    }
    if response.after != ConnectionState::Open {
        extend(&mut head, ["connection: close\r\n"]);
    }
    extend(&mut head, ["\r\n"]);
    head
}

#[inline]
fn extend<const N: usize>(head: &mut Vec<u8>, texts: [&str; N]) {
    for text in texts {
        head.extend_from_slice(text.as_bytes());
    }
}
