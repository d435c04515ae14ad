//! Reads the bodies of requests from actix-web.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use actix_http::error::PayloadError;
use actix_http::{Payload, RequestHead};
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{Sleep, sleep, timeout};

use super::body::Afterwards;
use super::turn::Turn;
use crate::contract::response::After;
use crate::contract::upload::{Bounds, Unread, Upload};
use crate::contract::waiting::{Arriving, Waiting};
use crate::options::HttpOptions;

/// The body of a request.
pub(super) struct Incoming<'r> {
    head: &'r RequestHead,
    /// The turn of the connection, if it belongs to a [`Server`](crate::Server). In your own `App`
    /// there is none, because actix-web sends `100 Continue` before it calls the service.
    turn: Option<&'r Turn>,
    payload: Payload,
}

impl<'r> Incoming<'r> {
    pub(super) fn new(head: &'r RequestHead, turn: Option<&'r Turn>, payload: Payload) -> Self {
        Self {
            head,
            turn,
            payload,
        }
    }

    /// Returns whether actix-http would read the body to the end of the connection. Behind a
    /// connection of a [`Server`](crate::Server) it would not, since that masks offers to upgrade.
    fn is_unframed(&self) -> bool {
        self.turn.is_none() && is_unframed(self.head)
    }

    /// Returns the part of the body to read after the response. If there is any, the connection closes
    /// after the response.
    pub(super) fn rest(self, after: After, options: &HttpOptions) -> Option<Rest> {
        let is_endless = self.head.method == Method::POST && self.is_unframed();
        let is_unread = self.turn.is_some_and(|turn| !turn.is_whole());
        let (left, time) = match after {
            After::Open if is_endless => (0, Duration::ZERO),
            After::Open if !is_unread => return None,
            After::Close => (0, Duration::ZERO),
            After::Open | After::Drain => (options.max_drain_bytes, options.drain_time),
        };
        Some(Rest {
            payload: self.payload,
            left,
            timer: Box::pin(sleep(time)),
        })
    }
}

impl Upload for Incoming<'_> {
    async fn read(&mut self, bounds: Bounds<'_>) -> Result<Bytes, Unread> {
        let announced = announced(self.head);
        if announced.is_some_and(|length| length > bounds.bytes) {
            return Err(Unread::TooLarge);
        }
        if let Some(turn) = self.turn {
            turn.ask_for_body();
        }
        let framing = Framing {
            announced,
            ends: !self.is_unframed(),
            has_arrived: self.turn.is_some_and(Turn::is_whole),
        };
        let body = collect(&mut self.payload, &bounds, framing);
        if framing.has_arrived {
            // A body that has arrived needs no timer.
            return body.await;
        }
        timeout(bounds.time, body)
            .await
            .unwrap_or(Err(Unread::TooSlow))
    }

    async fn skip(&mut self, options: &HttpOptions) -> After {
        // The body may still arrive, because clients do not wait for permission forever.
        if self.turn.is_some_and(Turn::is_body_withheld) {
            return After::Drain;
        }
        let rest = async {
            let mut left = options.max_drain_bytes;
            loop {
                match self.payload.next().await {
                    None => return After::Open,
                    Some(Ok(chunk)) if chunk.len() <= left => left -= chunk.len(),
                    Some(_) => return After::Close,
                }
            }
        };
        let read = timeout(options.drain_time, rest).await;
        read.unwrap_or(After::Close)
    }
}

/// The rest of a request's body after its response has been sent. Reads enough of it for a client
/// that is still sending to see the response.
///
/// It keeps the reader of the body even if it reads nothing. actix-http closes a connection with an
/// unread body only while the reader exists. Otherwise it waits for the end of the body, which may
/// never come.
pub(super) struct Rest {
    payload: Payload,
    /// The number of bytes still to be read.
    left: usize,
    timer: Pin<Box<Sleep>>,
}

impl Afterwards for Rest {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.left > 0 && self.timer.as_mut().poll(cx).is_pending() {
            match ready!(Pin::new(&mut self.payload).poll_next(cx)) {
                Some(Ok(chunk)) => self.left = self.left.saturating_sub(chunk.len()),
                Some(Err(_)) | None => self.left = 0,
            }
        }
        Poll::Ready(())
    }
}

/// The framing of a body: how its end is found.
#[derive(Clone, Copy)]
struct Framing {
    /// The announced length of the body.
    announced: Option<usize>,
    /// True if the body marks its own end.
    ends: bool,
    /// True if the connection has passed all of the body on to actix-http.
    has_arrived: bool,
}

/// Returns whether actix-http would read to the end of the connection, whatever length the body
/// announces. It does so for requests that could become a `WebSocket`, which never happens here.
/// The response to such a request must be the last of its connection.
fn is_unframed(head: &RequestHead) -> bool {
    let headers = &head.headers;
    let wanted = headers.get_all(UPGRADE);
    let is_websocket = |wanted: &[u8]| wanted.trim_ascii().eq_ignore_ascii_case(b"websocket");
    !headers.contains_key(TRANSFER_ENCODING)
        && wanted
            .into_iter()
            .any(|wanted| is_websocket(wanted.as_bytes()))
}

fn announced(head: &RequestHead) -> Option<usize> {
    let length = head.headers.get(CONTENT_LENGTH)?.to_str().ok()?;
    // A number that does not fit is larger than any limit.
    Some(length.parse().unwrap_or(usize::MAX))
}

async fn collect(
    payload: &mut Payload,
    bounds: &Bounds<'_>,
    framing: Framing,
) -> Result<Bytes, Unread> {
    let end = (!framing.ends).then(|| framing.announced.unwrap_or(0));
    let mut arrived = Arrived::Nothing;
    let mut length = 0;
    let mut wakes = !framing.has_arrived;
    while end.is_none_or(|end| length < end) {
        let Some(chunk) = next(payload, &mut wakes).await else {
            break;
        };
        let chunk = chunk.map_err(|_| Unread::Broken)?;
        length += chunk.len();
        if length > bounds.bytes {
            return Err(Unread::TooLarge);
        }
        arrived = if framing.announced == Some(chunk.len()) {
            Arrived::AtOnce(chunk)
        } else {
            Arrived::Partly(arrived.with(&chunk, bounds.waiting)?)
        };
    }
    let mut whole = arrived.whole();
    whole.truncate(end.unwrap_or(length));
    Ok(whole)
}

/// Returns the next chunk. Unless `wakes`, the first poll leaves no waker behind.
///
/// actix-http polls the service once between the head and the body of a request. A waker that is left
/// behind then makes it poll the whole connection again after the response, which costs a sixth of a
/// call's instructions. If all of the body is in its buffer, it polls the service again in any case.
async fn next(payload: &mut Payload, wakes: &mut bool) -> Option<Result<Bytes, PayloadError>> {
    poll_fn(|cx| {
        let payload = Pin::new(&mut *payload);
        if std::mem::replace(wakes, true) {
            payload.poll_next(cx)
        } else {
            payload.poll_next(&mut Context::from_waker(Waker::noop()))
        }
    })
    .await
}

/// The part of a body that has arrived.
enum Arrived {
    Nothing,
    /// A body that arrived in one piece is passed on without a copy.
    AtOnce(Bytes),
    Partly(Arriving),
}

impl Arrived {
    /// Adds a chunk. It is copied, because actix-web cannot reuse its read buffer while any part of
    /// it is kept.
    fn with(self, chunk: &[u8], waiting: &Arc<Waiting>) -> Result<Arriving, Unread> {
        let mut arriving = match self {
            Self::Partly(arriving) => arriving,
            Self::Nothing | Self::AtOnce(_) => Arriving::new(waiting),
        };
        arriving.append(chunk).ok_or(Unread::NoRoom)?;
        Ok(arriving)
    }

    fn whole(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::AtOnce(body) => body,
            Self::Partly(arriving) => arriving.whole(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use actix_http::h1;

    use super::*;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads a body that actix-http feeds after the first poll. Returns how often that wakes the task.
    fn wakes(has_arrived: bool) -> usize {
        let (mut sender, payload) = h1::Payload::create(false);
        let mut payload = Payload::H1 { payload };
        let waiting = Waiting::new(1_000);
        let bounds = Bounds {
            bytes: 100,
            time: Duration::ZERO,
            waiting: &waiting,
        };
        let framing = Framing {
            announced: Some(4),
            ends: true,
            has_arrived,
        };
        let mut body = pin!(collect(&mut payload, &bounds, framing));
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        assert!(body.as_mut().poll(&mut cx).is_pending());
        sender.feed_data("text".into());
        sender.feed_eof();
        let woken = count.0.load(Ordering::Relaxed);
        assert!(matches!(body.poll(&mut cx), Poll::Ready(Ok(text)) if text == "text"));
        woken
    }

    #[test]
    fn a_body_that_has_arrived_is_read_without_a_wake_up() {
        assert_eq!(wakes(true), 0);
        assert_eq!(wakes(false), 1);
    }
}
