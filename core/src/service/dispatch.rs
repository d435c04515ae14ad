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

/// A body that is being answered, with what goes for all of its requests.
pub(super) struct Dispatch<'s> {
    pub(super) service: &'s Service,
    body: ByteString,
    /// The only procedure that requests may name, where there is one.
    pub(super) only: Option<Box<str>>,
    /// Whether replies say which procedure was called, for transports and observers. Those of a batch
    /// without observers do not need to.
    pub(super) names_procedures: bool,
    extensions: Option<Arc<Extensions>>,
    /// Whether names like an unknown one have been looked for.
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

    /// A part of the body, without copying it.
    pub(super) fn body(&self, span: &Span) -> ByteString {
        self.body.slice_ref(&self.body[span.clone()])
    }

    /// What the transport has attached to the exchange.
    pub(super) fn extensions(&self) -> Option<&Extensions> {
        self.extensions.as_deref()
    }

    /// Who is calling a procedure, if that was found out.
    pub(super) fn caller(&self, callee: &Callee) -> Option<Known> {
        self.callers.known(callee.authority()?)
    }

    /// The largest answer, in bytes.
    pub(super) fn limit(&self) -> usize {
        self.service.limits().max_response_bytes
    }

    /// Whether no search for similar names has run yet. A search is expensive compared with a call,
    /// and one is enough for a typo.
    pub(super) fn may_search(&self) -> bool {
        !self.searched.swap(true, Ordering::Relaxed)
    }

    /// The output of a call, as far as it is known before it starts.
    #[inline]
    pub(super) fn output(&self, meta: &Meta) -> Output {
        let mut output = Output::new(self.limit(), meta.notification);
        if !meta.notification {
            meta.protocol.begin_result(&mut output.buffer);
        }
        output
    }

    /// Starts a procedure: the one place at which a handler begins to run. It is counted first, its
    /// guards are asked, and its caller is found out; its own limits are checked; then `begin` gives
    /// it its parameters, and it runs until it waits for something.
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

    /// Follows a handler that has begun, or a call that has failed before.
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

    /// Waits for what is left of a call. `begin` is that of [`Dispatch::start`].
    pub(super) async fn end(
        &self,
        rest: Rest<'s>,
        begin: impl FnOnce(Admitted<'_, '_>) -> Started<Task>,
    ) -> Ended {
        match rest {
            Rest::Running(running) => running.await,
            // Boxed, so that the future of other calls does not carry the room for it.
            Rest::Asking(asking) => Box::pin(self.end_known(*asking, begin)).await,
        }
    }
}
