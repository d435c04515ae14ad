//! The one place where a handler starts to run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytestring::ByteString;

use super::callable::Callable;
use super::ending::{Interruption, settled};
use super::running::Running;
use super::state::Service;
use crate::bind::{Adapted, BindError, Params};
use crate::call::{Call, Ended, Meta, Permit, Started};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::output::Output;
use crate::panic::caught;
use crate::procedure::Task;

/// A body that is being answered, with what goes for all of its requests.
pub(super) struct Dispatch<'s> {
    pub(super) service: &'s Service,
    body: ByteString,
    /// The only procedure that requests may name, where there is one.
    pub(super) only: Option<Box<str>>,
    extensions: Option<Arc<Extensions>>,
    /// Whether names like an unknown one have been looked for.
    searched: AtomicBool,
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
            extensions,
            searched: AtomicBool::new(false),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.body
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

    /// Starts a procedure: the one place at which a handler begins to run. It is counted first, and
    /// its guards are asked; then `begin` gives it its parameters.
    #[inline]
    pub(super) fn start(
        &self,
        callable: &Callable,
        meta: Meta,
        begin: impl FnOnce(Admitted<'_>) -> Started<Task>,
    ) -> Started<Running<'s>> {
        let service = self.service;
        let mut output = Output::new(self.limit(), meta.notification);
        let Some(permit) = Permit::new(&callable.callee) else {
            return Started::Ended(Ended::failed(output, Fault::protocol(code::BUSY)));
        };
        if !meta.notification {
            meta.protocol.begin_result(&mut output.buffer);
        }
        let (extensions, runtime) = (self.extensions.clone(), service.runtime.clone());
        let call = Arc::new(Call::new(permit, meta, extensions, runtime));
        let begin = || match call.ask_guards() {
            Ok(()) => begin(Admitted {
                call: &call,
                callable,
                output,
            }),
            Err(fault) => Started::Ended(Ended::failed(output, fault)),
        };
        let results = service.results();
        match caught(|| call.in_span(begin)) {
            Ok(Started::Ended(ended)) => Started::Ended(settled(&call, results, Ok(ended))),
            Ok(Started::Running(task)) => Started::Running(Running::new(service, task, call)),
            Err(panic) => {
                let interruption = Interruption::Panic(panic);
                Started::Ended(settled(&call, results, Err(interruption)))
            }
        }
    }
}

/// A call that has been accepted and waits for its parameters.
pub(super) struct Admitted<'a> {
    call: &'a Arc<Call>,
    callable: &'a Callable,
    output: Output,
}

impl Admitted<'_> {
    #[inline]
    pub(super) fn with(self, params: Params<'_>) -> Started<Task> {
        let Callable { handler, plan, .. } = self.callable;
        handler.start(Arc::clone(self.call), plan, params, self.output)
    }

    /// Goes on with parameters that were adapted, or refuses them for what was wrong with them and
    /// everything else that is.
    pub(super) fn with_adapted(self, adapted: Result<Adapted, BindError>) -> Started<Task> {
        let error = match adapted {
            Ok(Adapted { params, problems }) => {
                let params = Params::given(&params);
                if problems.is_empty() {
                    return self.with(params);
                }
                let Callable { handler, plan, .. } = self.callable;
                handler.refuse(plan, params, problems)
            }
            Err(error) => error,
        };
        Started::Ended(Ended::failed(self.output, error.into()))
    }
}
