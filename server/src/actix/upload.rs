//! Reads the bodies of requests from actix-web.
//!
//! It implements the contract's [`Upload`] for both kinds of servers. What is left of a body after
//! the response is read or dropped as the contract says.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::{Payload, RequestHead};
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use bytes::Bytes;
use docent_http::Arriving;
use docent_http::ConnectionState;
use docent_http::HttpOptions;
use docent_http::{Upload, UploadError, discard};
use futures_util::{Stream, StreamExt};
use tokio::time::{Sleep, sleep};

use super::time_limit::TimeLimit;

/// The body of a request.
pub(super) struct IncomingBody<'r> {
    pub(super) head: &'r RequestHead,
    pub(super) payload: Payload,
    /// The length of the body, if it is announced.
    pub(super) announced: Option<usize>,
    /// False if actix-http would read the body to the end of the connection.
    pub(super) is_framed: bool,
    /// True if the client waits for permission to send the body.
    pub(super) is_withheld: bool,
}

impl<'r> IncomingBody<'r> {
    /// Creates the body of a request to an `App`. actix-web gives permission to send it before it calls
    /// the service.
    pub(super) fn in_app(head: &'r RequestHead, payload: Payload) -> Self {
        Self {
            head,
            payload,
            announced: announced(head),
            is_framed: !is_unframed(head),
            is_withheld: false,
        }
    }

    /// Reads the body until it ends, or up to its announced length if it is not framed.
    async fn collect(
        &mut self,
        limit: usize,
        mut arriving: Arriving,
    ) -> Result<Bytes, UploadError> {
        let end = (!self.is_framed).then(|| self.announced.unwrap_or(0));
        let mut at_once = Bytes::new();
        let mut length = 0;
        while end.is_none_or(|end| length < end) {
            let Some(chunk) = self.payload.next().await else {
                break;
            };
            let chunk = chunk.map_err(|_| UploadError::Broken)?;
            length += chunk.len();
            if length > limit {
                return Err(UploadError::TooLarge);
            }
            if self.announced == Some(chunk.len()) {
                // A body that arrives in one piece is passed on without a copy.
                at_once = chunk;
            } else {
                // It is copied, because actix-web cannot reuse its read buffer while any part of it is kept.
                arriving.append(&chunk).ok_or(UploadError::NoRoom)?;
            }
        }
        let mut whole = if at_once.is_empty() {
            arriving.whole()
        } else {
            at_once
        };
        whole.truncate(end.unwrap_or(length));
        Ok(whole)
    }

    /// Returns the part of the body to read after the response of an `App`. If there is any, the
    /// connection closes after the response.
    pub(super) fn rest(self, after: ConnectionState, options: &HttpOptions) -> Option<UnreadBody> {
        let (left, time) = match after {
            ConnectionState::Open if self.is_framed || self.head.method != Method::POST => {
                return None;
            }
            ConnectionState::Open | ConnectionState::Close => (0, Duration::ZERO),
            ConnectionState::Drain => (options.max_drain_bytes, options.drain_time),
        };
        Some(UnreadBody {
            payload: self.payload,
            left,
            timer: Box::pin(sleep(time)),
        })
    }
}

impl Upload for IncomingBody<'_> {
    async fn read(
        &mut self,
        limit: usize,
        time: Duration,
        arriving: Arriving,
    ) -> Result<Bytes, UploadError> {
        if self.announced.is_some_and(|length| length > limit) {
            return Err(UploadError::TooLarge);
        }
        let body = self.collect(limit, arriving);
        TimeLimit::new(time)
            .keep(body)
            .await
            .unwrap_or(Err(UploadError::TooSlow))
    }

    async fn skip(&mut self, options: &HttpOptions) -> ConnectionState {
        // The body may still arrive, because clients do not wait for permission forever.
        if self.is_withheld {
            return ConnectionState::Drain;
        }
        let chunks = (&mut self.payload).map(|chunk| chunk.map(|chunk| chunk.len()));
        discard(chunks, options.max_drain_bytes, options.drain_time).await
    }
}

/// The rest of a request's body after its response has been sent. Reads enough of it for a client
/// that is still sending to see the response.
///
/// It keeps the reader of the body even if it reads nothing. actix-http closes a connection with an
/// unread body only while the reader exists. Otherwise it waits for the end of the body, which may
/// never come.
pub(super) struct UnreadBody {
    payload: Payload,
    /// The number of bytes still to be read.
    left: usize,
    timer: Pin<Box<Sleep>>,
}

impl UnreadBody {
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.left > 0 && self.timer.as_mut().poll(cx).is_pending() {
            match ready!(Pin::new(&mut self.payload).poll_next(cx)) {
                Some(Ok(chunk)) => self.left = self.left.saturating_sub(chunk.len()),
                Some(Err(_)) | None => self.left = 0,
            }
        }
        Poll::Ready(())
    }
}

/// Returns whether actix-http would read to the end of the connection, whatever length the body
/// announces. It does so for requests that could become a `WebSocket`, which never happens here.
/// The response to such a request must be the last of its connection.
fn is_unframed(head: &RequestHead) -> bool {
    let headers = &head.headers;
    let mut offers = headers.get_all(UPGRADE);
    !headers.contains_key(TRANSFER_ENCODING)
        && offers.any(|offer| {
            let protocol = offer.as_bytes().trim_ascii();
            protocol.eq_ignore_ascii_case(b"websocket")
        })
}

/// Returns the announced length of the body.
pub(super) fn announced(head: &RequestHead) -> Option<usize> {
    let length = head.headers.get(CONTENT_LENGTH)?.to_str().ok()?;
    // A number that does not fit is larger than any limit.
    Some(length.parse().unwrap_or(usize::MAX))
}
