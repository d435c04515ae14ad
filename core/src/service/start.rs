//! The one place at which a handler begins to run.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::dispatch::Exchange;
use super::ending::{Interruption, settled};
use super::running::Running;
use super::span::CallSpan;
use super::{Entry, caught};
use crate::bind::{Adapted, Params};
use crate::code;
use crate::cx::Call;
use crate::fault::Fault;
use crate::output::Output;
use crate::procedure::{Ended, Started};
use crate::wire::Protocol;

impl Exchange {
    /// Starts a procedure: the one place at which a handler begins to run. It is counted first, and
    /// its guards are asked; then `begin` gives it its parameters.
    pub(super) fn start(
        &self,
        entry: &Arc<Entry>,
        asked: Asked,
        begin: impl FnOnce(Run<'_>) -> Started,
    ) -> Beginning {
        let Asked {
            protocol,
            notification,
            ..
        } = asked;
        let mut output = Output::new(self.limit(), notification);
        let Some(permit) = self.service.inner.frame.gauge.enter() else {
            return Beginning::Ended((output, Err(Fault::protocol(code::BUSY))));
        };
        if !notification {
            protocol.begin_result(&mut output.buffer);
        }
        let call = Arc::new(Call {
            entry: Arc::clone(entry),
            protocol,
            notification,
            extensions: self.extensions.clone(),
            runtime: self.service.runtime.clone(),
            cancelled: AtomicBool::new(false),
            deadline: OnceLock::new(),
            results: self.service.inner.frame.results.clone(),
            span: CallSpan::new(entry, protocol, self.extensions.as_deref()),
            watched: self.service.watched(asked.begun, asked.request_bytes),
            _permit: permit,
        });
        let begin = || match call.ask_guards() {
            Ok(()) => begin(Run {
                call: &call,
                output,
            }),
            Err(fault) => Started::Ended((output, Err(fault))),
        };
        match caught(|| call.span.in_scope(begin)) {
            Ok(Started::Ended(ended)) => Beginning::Ended(settled(&call, Ok(ended))),
            Ok(Started::Running(task)) => Beginning::Running(Running::new(task, call)),
            Err(panic) => Beginning::Ended(settled(&call, Err(Interruption::Panic(panic)))),
        }
    }
}

/// What is known of a call before it begins.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) protocol: Protocol,
    pub(super) notification: bool,
    /// The size of the parameters as they were written.
    pub(super) request_bytes: usize,
    /// When it began, where somebody wants to know.
    pub(super) begun: Option<Instant>,
}

/// A call that has been let in and waits for its parameters.
pub(super) struct Run<'a> {
    call: &'a Arc<Call>,
    output: Output,
}

impl Run<'_> {
    #[inline]
    pub(super) fn with(self, params: Params<'_>) -> Started {
        let entry = &self.call.entry;
        entry
            .handler
            .start(Arc::clone(self.call), &entry.plan, params, self.output)
    }

    /// Goes on with parameters that were adapted, or refuses them for what was wrong with them and
    /// everything else that is.
    pub(super) fn with_adapted(self, adapted: Adapted) -> Started {
        let Adapted { params, problems } = adapted;
        let params = Params::given(&params);
        if problems.is_empty() {
            return self.with(params);
        }
        let entry = &self.call.entry;
        let error = entry.handler.refuse(&entry.plan, params, problems);
        self.refused(error.into())
    }

    pub(super) fn refused(self, fault: Fault) -> Started {
        Started::Ended((self.output, Err(fault)))
    }
}

/// What came of [`Exchange::start`].
pub(super) enum Beginning {
    Ended(Ended),
    Running(Running),
}

#[inline]
pub(super) async fn wait_for(beginning: Beginning) -> Ended {
    match beginning {
        Beginning::Ended(ended) => ended,
        Beginning::Running(running) => running.await,
    }
}
