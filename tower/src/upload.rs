//! The body of a request, as the contract reads it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use docent_http::{ConnectionState, Draining, HttpOptions, Upload, UploadError};
use futures_util::FutureExt as _;
use http::{HeaderMap, header};
use http_body::Body;

/// The body of a request.
pub(crate) struct UploadedBody<B> {
    body: Pin<Box<B>>,
    /// The length of the body, if it is announced.
    announced: Option<usize>,
    /// The bytes of it that have not arrived. A caller need not have ended the stream of HTTP/2 behind them.
    left: Option<usize>,
    /// True if the client waits for permission to send the body, which the host gives when it is first read.
    is_withheld: bool,
}

impl<B: Body> UploadedBody<B> {
    pub(crate) fn new(body: B, headers: &HeaderMap) -> Self {
        let announced = body.size_hint().exact();
        let is_withheld = announced != Some(0)
            && headers
                .get(header::EXPECT)
                .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        // A length that does not fit is larger than any limit.
        let announced = announced.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        Self {
            body: Box::pin(body),
            announced,
            left: announced,
            is_withheld,
        }
    }

    /// Returns what reads the rest of the body after the response, if anything does.
    pub(crate) fn rest(self, after: ConnectionState, options: &HttpOptions) -> Option<RestOfBody>
    where
        B: Send + 'static,
    {
        if after != ConnectionState::Drain {
            return None;
        }
        let draining = Draining::new(self, after, options).map(drop);
        Some(Box::pin(draining))
    }
}

/// Reads the rest of a request's body.
pub(crate) type RestOfBody = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<B: Body> Upload for UploadedBody<B> {
    /// Trailers mean nothing here.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, UploadError>>> {
        self.is_withheld = false;
        if self.left == Some(0) {
            return Poll::Ready(None);
        }
        loop {
            match ready!(self.body.as_mut().poll_frame(cx)) {
                Some(Ok(frame)) => {
                    if let Ok(mut data) = frame.into_data() {
                        let piece = data.copy_to_bytes(data.remaining());
                        self.left = self.left.map(|left| left.saturating_sub(piece.len()));
                        return Poll::Ready(Some(Ok(piece)));
                    }
                }
                Some(Err(_)) => return Poll::Ready(Some(Err(UploadError::Broken))),
                None => return Poll::Ready(None),
            }
        }
    }

    fn announced(&self) -> Option<usize> {
        self.announced
    }

    fn is_withheld(&self) -> bool {
        self.is_withheld
    }
}
