//! Sends responses over a connection.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actix_web::http::Method;
use bytes::{Buf, Bytes};
use docent_core::RequestId;
use docent_http::is_value;
use docent_http::pieces::Body;
use docent_http::response::{After, Response};
use docent_http::waiting::PROGRESS;
use httpdate::HttpDate;
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
    let head = Bytes::from(head(&response, Some(id)));
    let mut body = response.body;
    if method == Method::HEAD {
        body = Body::None;
    }
    let first = body.next_piece(PROGRESS).transpose()?.unwrap_or_default();
    write_all(connection, head.chain(first), time).await?;
    while let Some(piece) = body.next_piece(PROGRESS) {
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
    let written = TimeLimit::new(time.saturating_mul(2)).keep(written).await;
    written.unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
}

/// Writes a response that is in one piece, for a connection that closes after it.
pub(in crate::actix::server) fn whole(response: Response) -> Vec<u8> {
    let mut bytes = head(&response, None).into_bytes();
    if let Body::Whole(body) = response.body {
        bytes.extend_from_slice(&body);
    }
    bytes
}

/// Writes the head of a response.
fn head(response: &Response, id: Option<&RequestId>) -> String {
    let mut head = String::with_capacity(512);
    let reason = response.status.canonical_reason().unwrap_or_default();
    head.extend(["HTTP/1.1 ", response.status.as_str(), " ", reason]);
    with_date(|date| head.extend(["\r\ndate: ", date, "\r\n"]));
    for (field, value) in &response.fields {
        if is_value(value) {
            head.extend([field.as_str(), ": ", value, "\r\n"]);
        } else {
            tracing::error!(value = &**value, "a header field was left out");
        }
    }
    if let Some(id) = id.filter(|_| response.is_told) {
        head.extend([REQUEST_ID.as_str(), ": ", id.as_str(), "\r\n"]);
    }
    if !matches!(response.status.as_u16(), 204 | 304) {
        let length = response.body.length().to_string();
        head.extend(["content-length: ", &length, "\r\n"]);
    }
    if response.after != After::Open {
        head.push_str("connection: close\r\n");
    }
    head.push_str("\r\n");
    head
}

/// Passes on the date, which each worker writes once a second.
fn with_date(pass_on: impl FnOnce(&str)) {
    thread_local!(static LAST: RefCell<(u64, String)> = RefCell::default());
    let now = SystemTime::now();
    let second = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    LAST.with_borrow_mut(|(last, date)| {
        if *last != second {
            (*last, *date) = (second, HttpDate::from(now).to_string());
        }
        pass_on(date);
    });
}
