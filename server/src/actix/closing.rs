//! Answers to requests of whose body something is left.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::ConnectionType;
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{Sleep, sleep, timeout};

use crate::options::HttpOptions;

/// Reads on for a while and forgets what it reads: a client that is still sending does not look for
/// an answer yet, and would only see its connection break. Says whether that was all.
pub(crate) async fn drain(payload: &mut web::Payload, options: &HttpOptions) -> bool {
    let rest = async {
        let mut left = options.drain_bytes;
        loop {
            match payload.next().await {
                None => return true,
                Some(Ok(chunk)) if chunk.len() <= left => left -= chunk.len(),
                Some(_) => return false,
            }
        }
    };
    timeout(options.drain_time, rest).await.unwrap_or(false)
}

/// Says that the connection is closed after this answer: what is left of the body is not read.
pub(crate) fn close(response: HttpResponse, payload: web::Payload) -> HttpResponse {
    close_after(response, payload, 0, Duration::ZERO)
}

/// Says that the connection is closed after this answer, and reads on for a while when it has been
/// sent: a client that is still sending sees the answer then, rather than a connection that breaks.
pub(crate) fn close_after_draining(
    response: HttpResponse,
    payload: web::Payload,
    options: &HttpOptions,
) -> HttpResponse {
    close_after(response, payload, options.drain_bytes, options.drain_time)
}

fn close_after(
    mut response: HttpResponse,
    payload: web::Payload,
    bytes: usize,
    time: Duration,
) -> HttpResponse {
    response
        .head_mut()
        .set_connection_type(ConnectionType::Close);
    let timer = Box::pin(sleep(time));
    response.map_body(|_, body| {
        BoxBody::new(Closing {
            body,
            sent: false,
            payload,
            left: bytes,
            timer,
        })
    })
}

/// An answer, and then as much of the request's body as is read for the client's sake.
///
/// It keeps the body's reader until the end even where nothing is read: actix-web only closes a
/// connection whose body was left unread while there is still somebody who could have read it;
/// without that it goes on waiting for the end of a body that may have none.
struct Closing {
    body: BoxBody,
    sent: bool,
    payload: web::Payload,
    /// How many more bytes are read.
    left: usize,
    timer: Pin<Box<Sleep>>,
}

impl MessageBody for Closing {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = &mut *self;
        if !this.sent {
            let chunk = ready!(Pin::new(&mut this.body).poll_next(cx));
            this.sent = chunk.is_none();
            if chunk.is_some() {
                return Poll::Ready(chunk);
            }
        }
        while this.left > 0 && this.timer.as_mut().poll(cx).is_pending() {
            match ready!(Pin::new(&mut this.payload).poll_next(cx)) {
                Some(Ok(chunk)) => this.left = this.left.saturating_sub(chunk.len()),
                Some(Err(_)) | None => break,
            }
        }
        Poll::Ready(None)
    }
}
