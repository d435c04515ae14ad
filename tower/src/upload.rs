//! Reads the body of a request, within the limits of the contract.
//!
//! The rest of it is read or dropped after the response, as the contract says.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use docent_http::{Arriving, ConnectionState, HttpOptions, Upload, UploadError, discard};
use futures_util::stream::{self, Stream};
use http::{HeaderMap, header};
use http_body::Body;
use tokio::time::timeout;

/// The body of a request.
pub(crate) struct IncomingBody<B> {
    body: Pin<Box<B>>,
    /// The length of the body, if it is announced.
    announced: Option<usize>,
    /// True if the client waits for permission to send the body, which the host gives when it is first read.
    is_withheld: bool,
}

impl<B: Body> IncomingBody<B> {
    pub(crate) fn new(body: B, headers: &HeaderMap) -> Self {
        let announced = body.size_hint().exact();
        let expects = headers.get(header::EXPECT);
        let is_withheld = expects
            .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
            && announced != Some(0);
        Self {
            body: Box::pin(body),
            // A length that does not fit is larger than any limit.
            announced: announced.map(|length| usize::try_from(length).unwrap_or(usize::MAX)),
            is_withheld,
        }
    }

    async fn collect(
        &mut self,
        limit: usize,
        mut arriving: Arriving,
    ) -> Result<Bytes, UploadError> {
        let mut length = 0;
        while let Some(chunk) = poll_fn(|cx| poll_data(self.body.as_mut(), cx)).await {
            let mut chunk = chunk.map_err(|_| UploadError::Broken)?;
            length += chunk.remaining();
            if length > limit {
                return Err(UploadError::TooLarge);
            }
            if self.announced == Some(length) && chunk.remaining() == length {
                // A body that arrives in one piece is passed on without a copy.
                return Ok(chunk.copy_to_bytes(length));
            }
            while chunk.has_remaining() {
                let part = chunk.chunk();
                let taken = part.len();
                arriving.append(part).ok_or(UploadError::NoRoom)?;
                chunk.advance(taken);
            }
        }
        Ok(arriving.whole())
    }

    /// Returns what reads the rest of the body after the response, if anything does: enough of it for a client that
    /// is still sending to see the response.
    pub(crate) fn rest(self, after: ConnectionState, options: &HttpOptions) -> Option<Draining>
    where
        B: Send + 'static,
    {
        if after != ConnectionState::Drain {
            return None;
        }
        let mut body = self.body;
        let max_bytes = options.max_drain_bytes;
        let time = options.drain_time;
        Some(Box::pin(async move {
            discard(lengths(body.as_mut()), max_bytes, time).await;
        }))
    }
}

impl<B: Body> Upload for IncomingBody<B> {
    async fn read(
        &mut self,
        limit: usize,
        time: Duration,
        arriving: Arriving,
    ) -> Result<Bytes, UploadError> {
        if self.announced.is_some_and(|length| length > limit) {
            return Err(UploadError::TooLarge);
        }
        self.is_withheld = false;
        timeout(time, self.collect(limit, arriving))
            .await
            .unwrap_or(Err(UploadError::TooSlow))
    }

    async fn skip(&mut self, options: &HttpOptions) -> ConnectionState {
        // The body may still arrive, because clients do not wait for permission forever.
        if self.is_withheld {
            return ConnectionState::Drain;
        }
        if self.body.is_end_stream() {
            return ConnectionState::Open;
        }
        discard(
            lengths(self.body.as_mut()),
            options.max_drain_bytes,
            options.drain_time,
        )
        .await
    }
}

/// Reads the rest of a request's body and drops it.
pub(crate) type Draining = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Returns the lengths of the pieces of a body.
fn lengths<B: Body>(mut body: Pin<&mut B>) -> impl Stream<Item = Result<usize, B::Error>> + Unpin {
    stream::poll_fn(move |cx| {
        let chunk = ready!(poll_data(body.as_mut(), cx));
        Poll::Ready(chunk.map(|chunk| chunk.map(|data| data.remaining())))
    })
}

/// Reads the next piece of a body. Trailers mean nothing here.
fn poll_data<B: Body>(
    mut body: Pin<&mut B>,
    cx: &mut Context<'_>,
) -> Poll<Option<Result<B::Data, B::Error>>> {
    loop {
        match ready!(body.as_mut().poll_frame(cx)) {
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Poll::Ready(Some(Ok(data)));
                }
            }
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => return Poll::Ready(None),
        }
    }
}
