//! Response bodies in the form that actix-http polls.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

use crate::contract::pieces::{Body, Shared};

/// The body of a response.
#[derive(Debug)]
pub(super) struct Outgoing {
    body: Body,
    size: BodySize,
}

impl Outgoing {
    pub(super) fn new(body: Body) -> Self {
        let size = size(&body);
        Self { body, size }
    }

    /// Creates an empty body that does not announce its length.
    pub(super) fn empty_of_unknown_length() -> Self {
        Self {
            body: Body::None,
            size: BodySize::Stream,
        }
    }

    /// Creates an empty body that announces the length it would have had, for HEAD.
    pub(super) fn without_bytes(body: &Body) -> Self {
        Self {
            body: Body::None,
            size: size(body),
        }
    }

    /// Takes out the body if it is large and other callers read it too. An empty body that does not
    /// announce its length remains.
    pub(super) fn take_shared(&mut self) -> Option<Shared> {
        let shared = self.body.take_shared()?;
        self.size = BodySize::Stream;
        Some(shared)
    }

    /// Boxes the body for an `App`. actix-web sends plain bytes without another box.
    pub(super) fn boxed(self) -> BoxBody {
        match self.body {
            Body::Whole(bytes) => BoxBody::new(bytes),
            _ => BoxBody::new(self),
        }
    }
}

fn size(body: &Body) -> BodySize {
    body.length().map_or(BodySize::Stream, BodySize::Sized)
}

impl MessageBody for Outgoing {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let next = self.body.next();
        if next.is_pending() {
            cx.waker().wake_by_ref();
        }
        next
    }
}

/// Work that a body does after its last piece, before actix-http learns that it has ended. It may be polled
/// again after its end.
pub(super) trait Afterwards {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

impl<A: Afterwards> Afterwards for Option<Box<A>> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(after) = self {
            ready!(after.poll(cx));
        }
        Poll::Ready(())
    }
}

/// A body followed by [`Afterwards`].
#[derive(Debug)]
pub(super) struct Followed<A> {
    body: Outgoing,
    ended: bool,
    after: A,
}

impl<A> Followed<A> {
    pub(super) fn new(body: Outgoing, after: A) -> Self {
        Self {
            body,
            ended: false,
            after,
        }
    }
}

impl<A: Afterwards + Unpin> MessageBody for Followed<A> {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = &mut *self;
        if !this.ended {
            let piece = ready!(Pin::new(&mut this.body).poll_next(cx));
            if piece.is_some() {
                return Poll::Ready(piece);
            }
            this.ended = true;
        }
        ready!(this.after.poll(cx));
        Poll::Ready(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use super::*;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    struct Twice(u8);

    impl Afterwards for Twice {
        fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
            self.0 += 1;
            if self.0 < 2 {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Poll::Ready(())
        }
    }

    #[test]
    fn a_body_ends_after_the_work_that_follows_it() {
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        let whole = Outgoing::new(Body::Whole("text".into()));
        let mut body = Followed::new(whole, Twice(0));
        assert_eq!(body.size(), BodySize::Sized(4));
        let mut next = || Pin::new(&mut body).poll_next(&mut cx);
        assert!(matches!(next(), Poll::Ready(Some(Ok(text))) if text == "text"));
        assert!(next().is_pending());
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
        assert!(matches!(next(), Poll::Ready(None)));
    }
}
