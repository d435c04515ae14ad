//! The rest of a call that has run in place until it waits for something.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::admitted::Accepted;
use super::callers::Wait;
use super::running::Running;
use super::state::Service;
use crate::call::Call;
use crate::observer::Ending;
use crate::output::Output;

/// Runs a function at once, with the context of the task that waits for it.
pub(super) async fn in_place<T>(work: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let mut work = Some(work);
    poll_fn(|cx| match work.take() {
        Some(work) => Poll::Ready(work(cx)),
        // Only reached if this is polled again after its end, which `await` does not do.
        None => Poll::Pending,
    })
    .await
}

/// The rest of a call that waits.
pub(super) enum Rest<'s> {
    Running(Running<'s>),
    /// Boxed, so that other calls do not carry the room for it.
    Asking(Box<Asking<'s>>),
}

impl<'s> From<Running<'s>> for Rest<'s> {
    fn from(running: Running<'s>) -> Self {
        Self::Running(running)
    }
}

/// A call that waits for the decision whether it may run.
pub(super) struct Asking<'s> {
    pub(super) accepted: Accepted<'s>,
    pub(super) output: Output,
    pub(super) wait: Wait,
    pub(super) unstarted: Unstarted<'s>,
}

/// A call that has not started. If it is dropped before it starts, it is reported as cancelled.
pub(super) struct Unstarted<'s> {
    service: &'s Service,
    call: Option<Arc<Call>>,
}

impl<'s> Unstarted<'s> {
    pub(super) fn new(service: &'s Service, call: &Arc<Call>) -> Self {
        Self {
            service,
            call: Some(Arc::clone(call)),
        }
    }

    pub(super) fn ended(mut self) {
        self.call = None;
    }
}

impl Drop for Unstarted<'_> {
    fn drop(&mut self) {
        if let Some(call) = &self.call {
            self.service.tell_unheard(call, Ending::Cancelled, None);
        }
    }
}
