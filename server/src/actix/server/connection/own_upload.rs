//! The body of a request to a route of one's own, as a stream that the handler reads.
//!
//! It is read from the connection when the handler asks for more, so a handler that is slow slows the peer down.
//! A handler may keep the stream for longer than the connection lasts.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use actix_http::error::PayloadError;
use actix_http::{BoxedPayloadStream, Payload};
use bytes::Bytes;
use docent_http::TimeLimit;

use super::pace::Pace;
use super::receiving::SharedConnection;

/// The side of the connection. The stream of the handler ends with an error when this is dropped.
pub(super) struct OwnUpload {
    connection: SharedConnection,
    pace: RefCell<Pace>,
    length: Cell<usize>,
    is_stalled: Cell<bool>,
    /// The task that reads the stream, which need not be that of the connection.
    reader: RefCell<Option<Waker>>,
}

impl OwnUpload {
    /// Creates the body of the request that has arrived. The peer has `time` for each 256 KiB of it.
    pub(super) fn new(connection: &SharedConnection, time: Duration) -> Rc<Self> {
        Rc::new(Self {
            connection: Rc::clone(connection),
            pace: RefCell::new(Pace::new(time)),
            length: Cell::new(0),
            is_stalled: Cell::new(false),
            reader: RefCell::new(None),
        })
    }

    /// Returns the stream for the handler.
    pub(super) fn payload(self: &Rc<Self>) -> Payload {
        if self.connection.borrow().is_at_end() {
            return Payload::None;
        }
        let stream: BoxedPayloadStream = Box::pin(Reader(Rc::downgrade(self)));
        stream.into()
    }

    pub(super) fn connection(&self) -> &SharedConnection {
        &self.connection
    }

    /// Tells a client that waits for it to send its body, if the handler has kept the stream: after the head of
    /// the response it would be too late.
    ///
    /// # Errors
    /// The connection is broken, or its peer does not read.
    pub(super) async fn permit(self: &Rc<Self>, time: Duration) -> io::Result<()> {
        if Rc::weak_count(self) == 0 {
            return Ok(());
        }
        let permitted = poll_fn(|cx| self.connection.borrow_mut().poll_permission(cx));
        TimeLimit::new(time)
            .keep(permitted)
            .await
            .unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }

    /// Returns the number of bytes that were read.
    pub(super) fn length(&self) -> usize {
        self.length.get()
    }

    /// Returns whether the peer took too long to send it.
    pub(super) fn is_stalled(&self) -> bool {
        self.is_stalled.get()
    }

    /// Discards the part of the body that has arrived if the handler reads it no more, so that the next request can
    /// follow a small one.
    pub(super) fn skip_unless_read(self: &Rc<Self>) {
        if Rc::weak_count(self) == 0 {
            self.connection.borrow_mut().skip_arrived();
        }
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let mut pace = self.pace.borrow_mut();
        if !self.is_stalled.get() {
            if let Poll::Ready(next) = self.connection.borrow_mut().poll_body(cx) {
                if let Some(Ok(piece)) = &next {
                    pace.advance(piece.len());
                    self.length.set(self.length.get() + piece.len());
                }
                return Poll::Ready(next);
            }
            *self.reader.borrow_mut() = Some(cx.waker().clone());
            ready!(pace.poll_over(cx));
            self.is_stalled.set(true);
        }
        Poll::Ready(Some(Err(PayloadError::Io(ErrorKind::TimedOut.into()))))
    }
}

impl Drop for OwnUpload {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }
}

/// The side of the handler.
struct Reader(Weak<OwnUpload>);

impl futures_util::Stream for Reader {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.0.upgrade() {
            Some(upload) => upload.poll(cx),
            None => Poll::Ready(Some(Err(PayloadError::Incomplete(None)))),
        }
    }
}
