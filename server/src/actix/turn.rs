//! State that a connection shares with the service behind it: whether a response is outstanding,
//! whether the service wants the body of the request, and bodies that bypass actix-http.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::BodySize;

use super::body::Afterwards;
use crate::contract::pieces::Shared;

/// The request of a connection that has not been answered, if there is one.
#[derive(Debug)]
pub(super) struct Turn {
    stage: Cell<Stage>,
    /// True if the end of the last request has been seen.
    whole: Cell<bool>,
    body: Cell<Wanted>,
    direct: RefCell<Option<Shared>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// There is no request.
    Idle,
    /// The head of the request has been passed on.
    Begun,
    /// The service has been called.
    Called,
    /// The service has returned its whole response.
    Given,
    /// The whole response has been sent.
    Sent,
}

/// The state of a client's wait for permission to send its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// The client does not wait, or has permission.
    Settled,
    Unasked,
    Asked,
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            stage: Cell::new(Stage::Idle),
            whole: Cell::new(true),
            body: Cell::new(Wanted::Settled),
            direct: RefCell::default(),
        }
    }
}

impl Turn {
    /// Records that a head has been passed on.
    pub(super) fn begin(&self, waits: bool) {
        self.stage.set(Stage::Begun);
        self.whole.set(false);
        self.body.set(if waits {
            Wanted::Unasked
        } else {
            Wanted::Settled
        });
    }

    /// Records that the end of the request has been seen.
    pub(super) fn complete(&self) {
        self.whole.set(true);
    }

    /// Returns whether the end of the request has been received.
    pub(super) fn is_whole(&self) -> bool {
        self.whole.get()
    }

    /// Records that the request was rejected without calling the service.
    pub(super) fn end(&self) {
        self.stage.set(Stage::Idle);
    }

    /// Returns whether a response is outstanding.
    pub(super) fn is_running(&self) -> bool {
        self.stage.get() != Stage::Idle
    }

    /// Returns whether the service has been called. If actix-http rejects the head, it never is.
    pub(super) fn is_called(&self) -> bool {
        !matches!(self.stage.get(), Stage::Idle | Stage::Begun)
    }

    /// Returns whether a request has been answered before its end was seen. Anything that actix-http
    /// then sends about it would be a second response.
    pub(super) fn is_answered_early(&self) -> bool {
        !self.is_running() && !self.whole.get()
    }

    /// Records that everything that actix-http wrote so far has been sent. Returns whether
    /// something waited for that.
    pub(super) fn sent(&self) -> bool {
        let waited_for = self.stage.get() == Stage::Given;
        if waited_for {
            self.stage.set(Stage::Sent);
        }
        waited_for
    }

    /// Returns whether the client waits for permission to send its body.
    pub(super) fn is_body_withheld(&self) -> bool {
        self.body.get() == Wanted::Unasked
    }

    /// Records that the service wants the body.
    pub(super) fn ask_for_body(&self) {
        if self.is_body_withheld() {
            self.body.set(Wanted::Asked);
        }
    }

    /// Returns whether to tell the client now to send its body. That is not needed if the body has
    /// already arrived.
    pub(super) fn gives_leave(&self) -> bool {
        self.body.get() == Wanted::Asked && {
            self.body.set(Wanted::Settled);
            !self.whole.get()
        }
    }

    /// Returns the body that the connection sends directly after the bytes that actix-http has
    /// written, as long as it has not sent all of it.
    pub(super) fn direct(&self) -> RefMut<'_, Option<Shared>> {
        self.direct.borrow_mut()
    }

    /// Records that the service is called. The response is outstanding until the returned value is
    /// dropped.
    pub(super) fn call(self: &Rc<Self>) -> Outstanding {
        self.stage.set(Stage::Called);
        Outstanding(Rc::clone(self))
    }
}

/// A body that the connection sends from where it is stored. actix-http would copy it into a buffer,
/// and keep the copy for as long as the caller does not read.
#[derive(Debug)]
pub(super) struct Direct {
    body: Option<Shared>,
    turn: Rc<Turn>,
}

impl Direct {
    pub(super) fn new(body: Shared, turn: &Rc<Turn>) -> Self {
        Self {
            body: Some(body),
            turn: Rc::clone(turn),
        }
    }
}

impl Afterwards for Direct {
    fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if let Some(body) = self.body.take() {
            // The connection is flushed next, and polls again when all of it has been sent.
            *self.turn.direct() = Some(body);
        }
        if self.turn.direct().is_some() {
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

/// A response that has not been completed.
#[derive(Debug)]
pub(super) struct Outstanding(Rc<Turn>);

impl Outstanding {
    /// Records the size of the response body. The response is complete when the body has ended.
    pub(super) fn until_end_of(&self, size: BodySize) {
        if matches!(size, BodySize::None | BodySize::Sized(0)) {
            // actix-http does not poll an empty body, and would not wait for the response to be
            // sent.
            self.0.complete();
        }
    }

    pub(super) fn turn(&self) -> &Rc<Turn> {
        &self.0
    }
}

impl Afterwards for Outstanding {
    /// Waits until the whole response has been sent if actix-http might add to it: it has a
    /// response of its own if the rest of a request turns out to be malformed.
    fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
        let turn = &self.0;
        if turn.whole.get() || turn.stage.get() == Stage::Sent {
            return Poll::Ready(());
        }
        // The connection is flushed next, and continues from there.
        turn.stage.set(Stage::Given);
        Poll::Pending
    }
}

impl Drop for Outstanding {
    fn drop(&mut self) {
        self.0.stage.set(Stage::Idle);
    }
}
