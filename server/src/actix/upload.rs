//! The body of a request to an `App`, as the contract reads it, and the length that any request announces.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_http::{Payload, RequestHead};
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use bytes::Bytes;
use docent_http::{ConnectionState, Draining, HttpOptions, Upload, UploadError};
use futures_util::Stream as _;

/// The body of a request to an `App`.
pub(super) struct AppUpload {
    payload: Payload,
    /// The length of the body, if it is announced.
    announced: Option<usize>,
    /// The bytes that are left of a body that actix-http would read to the end of the connection. `None` if
    /// actix-http knows where the body ends.
    unframed: Option<usize>,
    is_post: bool,
}

impl AppUpload {
    pub(super) fn new(head: &RequestHead, payload: Payload) -> Self {
        let announced = announced(head);
        Self {
            payload,
            announced,
            unframed: is_unframed(head).then(|| announced.unwrap_or(0)),
            is_post: head.method == Method::POST,
        }
    }

    /// Returns the part of the body to read after the response. If there is any, the connection closes after the
    /// response.
    ///
    /// actix-http closes a connection with an unread body only while the reader of the body exists.
    /// Otherwise it waits for the end of the body, which may never come.
    pub(super) fn rest(
        self,
        after: ConnectionState,
        options: &HttpOptions,
    ) -> Option<Draining<Self>> {
        let is_read = after == ConnectionState::Open && (self.unframed.is_none() || !self.is_post);
        (!is_read).then(|| Draining::new(self, after, options))
    }
}

impl Upload for AppUpload {
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>> {
        if self.unframed == Some(0) {
            return Poll::Ready(None);
        }
        let piece = match ready!(Pin::new(&mut self.payload).poll_next(cx)) {
            None => return Poll::Ready(None),
            Some(Err(_)) => return Poll::Ready(Some(Err(UploadError::Broken))),
            Some(Ok(piece)) => piece,
        };
        let Some(left) = &mut self.unframed else {
            return Poll::Ready(Some(Ok(piece)));
        };
        let own = piece.slice(..piece.len().min(*left));
        *left -= own.len();
        Poll::Ready(Some(Ok(own)))
    }

    fn announced(&self) -> Option<usize> {
        self.announced
    }

    /// actix-web gives permission to send a body before it calls the service.
    fn is_withheld(&self) -> bool {
        false
    }
}

/// Returns whether actix-http would read to the end of the connection, whatever length the body
/// announces. It does so for requests that could become a `WebSocket`, which never happens here.
/// The response to such a request must be the last of its connection.
fn is_unframed(head: &RequestHead) -> bool {
    !head.headers.contains_key(TRANSFER_ENCODING)
        && head.headers.get_all(UPGRADE).any(|offer| {
            offer
                .as_bytes()
                .trim_ascii()
                .eq_ignore_ascii_case(b"websocket")
        })
}

/// Returns the announced length of the body.
pub(super) fn announced(head: &RequestHead) -> Option<usize> {
    let length = head.headers.get(CONTENT_LENGTH)?.to_str().ok()?;
    // A number that does not fit is larger than any limit.
    Some(length.parse().unwrap_or(usize::MAX))
}
