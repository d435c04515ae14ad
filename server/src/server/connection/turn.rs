//! What a connection and the service behind it tell each other: whether an answer is outstanding.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use bytes::Bytes;

/// The request of a connection that has not been answered, if there is one.
#[derive(Debug, Default)]
pub(in crate::server) struct Turn(Cell<Stage>);

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// There is none.
    #[default]
    Idle,
    /// Its head has been passed on.
    Begun,
    /// The service has been called.
    Called,
}

impl Turn {
    /// A head is passed on.
    pub(super) fn begin(&self) {
        self.0.set(Stage::Begun);
    }

    /// It was refused without the service.
    pub(super) fn end(&self) {
        self.0.set(Stage::Idle);
    }

    /// Whether an answer is outstanding.
    pub(super) fn is_running(&self) -> bool {
        self.0.get() != Stage::Idle
    }

    /// Whether the service has been called for it. It is not where actix-http refuses the head.
    pub(super) fn is_called(&self) -> bool {
        self.0.get() == Stage::Called
    }

    /// The service is called: the answer is outstanding until what this gives is dropped.
    pub(in crate::server) fn call(self: &Rc<Self>) -> Outstanding {
        self.0.set(Stage::Called);
        Outstanding(Rc::clone(self))
    }
}

/// An answer that has not been given.
#[derive(Debug)]
pub(in crate::server) struct Outstanding(Rc<Turn>);

impl Outstanding {
    /// The body of the answer, with which it is given.
    pub(in crate::server) fn until_end_of<B>(self, body: B) -> AnswerBody<B> {
        AnswerBody { body, _until: self }
    }
}

impl Drop for Outstanding {
    fn drop(&mut self) {
        self.0.0.set(Stage::Idle);
    }
}

/// The body of an answer, which is outstanding as long as this is there.
#[derive(Debug)]
pub(in crate::server) struct AnswerBody<B> {
    body: B,
    _until: Outstanding,
}

impl<B: MessageBody + Unpin> MessageBody for AnswerBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}
