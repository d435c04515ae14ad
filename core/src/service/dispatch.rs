//! The one place where a handler starts to run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;

use bytestring::ByteString;

use super::admitted::{Accepted, Admitted};
use super::callable::Callable;
use super::callers::Callers;
use super::ending::{Interruption, settle};
use super::rest::Rest;
use super::running::Running;
use super::state::Service;
use crate::call::{Call, Callee, Ended, Meta, Permit, Started};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::identity::Known;
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::Task;
use crate::wire::Span;

/// A body that is being answered, with the properties that all of its requests share.
pub(super) struct Dispatch<'s> {
    pub(super) service: &'s Service,
    body: ByteString,
    /// The only procedure that requests may name, if there is such a restriction.
    pub(super) only: Option<Box<str>>,
    /// Set if replies name the called procedure, for transports and observers. The replies of a batch
    /// without observers need not.
    pub(super) names_procedures: bool,
    extensions: Option<Arc<Extensions>>,
    /// Set once names similar to an unknown one have been searched for.
    searched: AtomicBool,
    pub(super) callers: Callers,
}

impl<'s> Dispatch<'s> {
    pub(super) fn new(
        service: &'s Service,
        body: ByteString,
        only: Option<Box<str>>,
        extensions: Option<Arc<Extensions>>,
    ) -> Self {
        Self {
            service,
            body,
            only,
            names_procedures: true,
            extensions,
            searched: AtomicBool::new(false),
            callers: Callers::default(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.body
    }

    /// Returns a part of the body, without copying it.
    pub(super) fn body(&self, span: &Span) -> ByteString {
        self.body.slice_ref(&self.body[span.clone()])
    }

    /// Returns the values that the transport has attached.
    pub(super) fn extensions(&self) -> Option<&Extensions> {
        self.extensions.as_deref()
    }

    /// Returns the caller of a procedure, if it has been found out.
    pub(super) fn caller(&self, callee: &Callee) -> Option<Known> {
        self.callers.known(callee.authority()?)
    }

    /// Returns the maximum size of a response, in bytes.
    pub(super) fn limit(&self) -> usize {
        self.service.limits().max_response_bytes
    }

    /// Returns whether no search for similar names has run yet. A search is expensive compared with
    /// a call, and one is enough for a typo.
    pub(super) fn may_search(&self) -> bool {
        !self.searched.swap(true, Ordering::Relaxed)
    }

    /// Creates the output of a call, with the text that precedes a result.
    #[inline]
    pub(super) fn output(&self, meta: &Meta) -> Output {
        let mut output = Output::new(self.limit(), meta.notification);
        if !meta.notification {
            meta.protocol.begin_result(&mut output.buffer);
        }
        output
    }

    /// Starts a procedure; every handler begins to run here. The call is counted, its guards run,
    /// its caller is found out, and the limits of the procedure are checked. Then `begin` gives it
    /// its parameters, and it runs until it waits for something.
    #[inline]
    pub(super) fn start(
        &self,
        callable: &'s Callable,
        meta: Meta,
        output: &mut Output,
        waker: &mut Context<'_>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Started<Rest<'s>> {
        let service = self.service;
        let permit = Permit::new(&callable.callee).filter(|_| !service.is_out_of_room());
        let Some(permit) = permit else {
            return Started::Ended(Err(Fault::protocol(code::BUSY)));
        };
        let (extensions, runtime) = (self.extensions.clone(), service.runtime.clone());
        let call = Arc::new(Call::new(permit, meta, extensions, runtime));
        if callable.callee.access.is_some() || !callable.callee.guards.is_empty() {
            let accepted = Accepted { call, callable };
            return self.start_known(accepted, output, waker, begin);
        }
        let begin = || match call.keep_limits() {
            Ok(()) => begin(Admitted {
                call: &call,
                callable,
                output: &mut *output,
                waker: &mut *waker,
            }),
            Err(fault) => Started::Ended(Err(fault)),
        };
        let outcome = caught(|| call.in_span(begin));
        self.follow(call, output, outcome, waker)
    }

    /// Continues with a handler that has begun, or with a call that failed before.
    #[inline]
    pub(super) fn follow<R: From<Running<'s>>>(
        &self,
        call: Arc<Call>,
        output: &mut Output,
        outcome: Result<Started<Task>, Panic>,
        waker: &mut Context<'_>,
    ) -> Started<R> {
        let service = self.service;
        let outcome = match outcome {
            Ok(Started::Ended(result)) => Ok(result),
            Ok(Started::Running(task)) => {
                return Running::begin(service, task, call, output, waker);
            }
            Err(panic) => Err(Interruption::Panic(panic)),
        };
        Started::Ended(settle(&call, service.results(), output, outcome))
    }

    /// Waits for the rest of a call. `begin` is the same as for [`Dispatch::start`].
    pub(super) async fn end(
        &self,
        rest: Rest<'s>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Ended {
        match rest {
            Rest::Running(running) => running.await,
            // Boxed, so that the futures of other calls do not carry the room for it.
            Rest::Asking(asking) => Box::pin(self.end_known(*asking, begin)).await,
        }
    }
}
