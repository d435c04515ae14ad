//! What a connection and the service behind it tell each other: whether an answer is outstanding, and
//! whether the body of its request is wanted.

use std::cell::Cell;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};

use super::body::{Afterwards, Followed};

/// The request of a connection that has not been answered, if there is one.
#[derive(Debug)]
pub(super) struct Turn {
    stage: Cell<Stage>,
    /// Whether the end of the last request has been seen.
    whole: Cell<bool>,
    body: Cell<Wanted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// There is none.
    Idle,
    /// Its head has been passed on.
    Begun,
    /// The service has been called.
    Called,
    /// The service has given all of its answer.
    Given,
    /// All of the answer has been sent.
    Sent,
}

/// Whether a client that waits for permission to send its body gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// It does not wait, or has permission.
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
        }
    }
}

impl Turn {
    /// A head is passed on.
    pub(super) fn begin(&self, waits: bool) {
        self.stage.set(Stage::Begun);
        self.whole.set(false);
        self.body.set(if waits {
            Wanted::Unasked
        } else {
            Wanted::Settled
        });
    }

    /// The end of the request has been seen.
    pub(super) fn complete(&self) {
        self.whole.set(true);
    }

    /// It was refused without the service.
    pub(super) fn end(&self) {
        self.stage.set(Stage::Idle);
    }

    /// Whether an answer is outstanding.
    pub(super) fn is_running(&self) -> bool {
        self.stage.get() != Stage::Idle
    }

    /// Whether the service has been called for it. It is not where actix-http refuses the head.
    pub(super) fn is_called(&self) -> bool {
        !matches!(self.stage.get(), Stage::Idle | Stage::Begun)
    }

    /// Whether a request has been answered whose end has not been seen. Anything more that actix-http
    /// says about it would be a second answer.
    pub(super) fn is_answered_early(&self) -> bool {
        !self.is_running() && !self.whole.get()
    }

    /// All that actix-http had to say so far has been sent. Says whether it has been waited for.
    pub(super) fn sent(&self) -> bool {
        let waited_for = self.stage.get() == Stage::Given;
        if waited_for {
            self.stage.set(Stage::Sent);
        }
        waited_for
    }

    /// Whether the client waits for permission to send its body.
    pub(super) fn is_body_withheld(&self) -> bool {
        self.body.get() == Wanted::Unasked
    }

    /// Asks for the body.
    pub(super) fn ask_for_body(&self) {
        if self.is_body_withheld() {
            self.body.set(Wanted::Asked);
        }
    }

    /// Whether the client is to be told now that it may send its body. It is not where the body is
    /// there already.
    pub(super) fn gives_leave(&self) -> bool {
        self.body.get() == Wanted::Asked && {
            self.body.set(Wanted::Settled);
            !self.whole.get()
        }
    }

    /// The service is called: the answer is outstanding until what this gives is dropped.
    pub(super) fn call(self: &Rc<Self>) -> Outstanding {
        self.stage.set(Stage::Called);
        Outstanding(Rc::clone(self))
    }
}

/// An answer that has not been given.
#[derive(Debug)]
pub(super) struct Outstanding(Rc<Turn>);

impl Outstanding {
    /// The body of the answer, with which it is given.
    pub(super) fn until_end_of(self, body: BoxBody) -> Followed<Self> {
        if matches!(body.size(), BodySize::None | BodySize::Sized(0)) {
            // actix-http does not ask for it, and would not wait for the answer to be sent.
            self.0.complete();
        }
        Followed::new(body, self)
    }
}

impl Afterwards for Outstanding {
    /// Waits until all of the answer has been sent, where actix-http might add something to it: it has
    /// an answer of its own to the rest of a request that turns out to be broken.
    fn poll(&mut self, _: &mut Context<'_>) -> Poll<()> {
        let turn = &self.0;
        if turn.whole.get() || turn.stage.get() == Stage::Sent {
            return Poll::Ready(());
        }
        // The connection is flushed next, and goes on from there.
        turn.stage.set(Stage::Given);
        Poll::Pending
    }
}

impl Drop for Outstanding {
    fn drop(&mut self) {
        self.0.stage.set(Stage::Idle);
    }
}
