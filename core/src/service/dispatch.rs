//! The way of a call: from a body to its answer.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use bytestring::ByteString;
use docent_describe::json::{SyntaxError, SyntaxErrorKind};

use super::answered::Answered;
use super::batch;
use super::ending::{Interruption, finish, settled};
use super::running::Running;
use super::span::CallSpan;
use super::{Entry, Incoming, Refusal, Reply, Service, caught};
use crate::bind::Params;
use crate::closest::Names;
use crate::code;
use crate::cx::Call;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::output::Output;
use crate::procedure::{Ended, Started};
use crate::wire::{self, Invalid, Judged, Message, ParamsSpan, Protocol, Request, Rules, Span};

/// A body that is being answered, with what goes for all of its requests.
pub(super) struct Exchange {
    pub(super) service: Service,
    body: ByteString,
    only: Option<Arc<str>>,
    extensions: Option<Arc<Extensions>>,
    /// Whether names like an unknown one have been looked for.
    searched: AtomicBool,
}

impl Service {
    pub(super) async fn answer(self, incoming: Incoming) -> Reply {
        let limits = &self.inner.frame.limits;
        if incoming.body.len() > limits.body {
            return self.refuse(&Refusal::TooLarge { limit: limits.body }.into());
        }
        let rules = Rules {
            nesting: limits.nesting,
            batch: limits.batch,
            protocols: self.inner.frame.protocols,
        };
        let Ok(body) = ByteString::try_from(incoming.body) else {
            return self.refuse(&Fault::protocol(code::PARSE_ERROR));
        };
        let message = match wire::read(&body, rules) {
            Ok(message) => message,
            Err(error) => return self.refuse(&unreadable(error, limits.nesting)),
        };
        let only = incoming.only.map(Arc::from);
        let exchange = Exchange::new(self, body, only, incoming.extensions);
        match message {
            Message::Single(judged) => exchange.answer_one(judged).await,
            // Boxed, so that the future of a single call does not carry the room for a batch.
            Message::Batch(entries) => Box::pin(batch::answer(exchange, entries)).await,
            Message::EmptyBatch => {
                let fault = Fault::protocol(code::INVALID_REQUEST);
                exchange.service.refuse(&fault)
            }
            Message::BatchTooLarge => {
                let limit = exchange.service.inner.frame.limits.batch;
                exchange.service.refuse(&Fault::explained(
                    code::BATCH_TOO_LARGE,
                    format_args!("a batch may have at most {limit} entries; nothing was run"),
                ))
            }
        }
    }

    /// Answers a whole exchange with a fault. Observers hear of it as of a call.
    fn refuse(&self, fault: &Fault) -> Reply {
        let answered = Answered::fault(Protocol::V2_0, fault, None);
        self.watch().end(&answered);
        answered.into_reply()
    }
}

impl Exchange {
    pub(super) fn new(
        service: Service,
        body: ByteString,
        only: Option<Arc<str>>,
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
        self.service.inner.frame.limits.response
    }

    async fn answer_one(self, judged: Judged) -> Reply {
        let watch = self.service.watch();
        let answered = self.judge_and_run(judged).await;
        watch.end(&answered);
        answered.into_reply()
    }

    /// Answers one message or one entry of a batch.
    pub(super) async fn judge_and_run(&self, judged: Judged) -> Answered {
        let request = match judged {
            Judged::Request(request) => request,
            Judged::Invalid(invalid) => return self.refuse(invalid),
        };
        let name = request.method.name(self.text());
        if self.only.is_some() && name != self.only.as_deref() {
            return self.answer_misaddressed(request);
        }
        let entry = name.and_then(|name| self.service.inner.procedures.get(name));
        let Some(entry) = entry.map(Arc::clone) else {
            return self.answer_unknown(request);
        };
        let started = self.start(&entry, request.protocol, request.notification, |run| {
            self.run_request(run, &entry, &request)
        });
        let ended = wait_for(started).await;
        let id = request.id.clone().map(|id| &self.text()[id]);
        let answer = finish(ended, request.protocol, id);
        Answered {
            body: (!request.notification).then_some(answer.body),
            code: answer.code,
            protocol: request.protocol,
            id: request.id,
            denial: answer.denial,
            replaced: false,
            notification: request.notification,
            request_bytes: request.params.length(),
            entry: Some(entry),
        }
    }

    /// Answers what is no valid request. That is done even where there is no `id`: whoever sent it
    /// cannot be taken at their word that they want no answer.
    fn refuse(&self, invalid: Invalid) -> Answered {
        let fault = match invalid.reason {
            Some(reason) => Fault::explained(code::INVALID_REQUEST, reason),
            None => Fault::protocol(code::INVALID_REQUEST),
        };
        self.answer_fault(invalid.protocol, invalid.id, false, &fault)
    }

    /// Answers a request that was sent to the address of a procedure that it does not name. It is a
    /// valid request, so a notification is not answered here either.
    fn answer_misaddressed(&self, request: Request) -> Answered {
        let fault = Fault::explained(
            code::INVALID_REQUEST,
            "a request sent to a procedure's own address must name that procedure",
        );
        self.answer_fault(request.protocol, request.id, request.notification, &fault)
    }

    fn answer_unknown(&self, request: Request) -> Answered {
        let name = request.method.name(self.text()).unwrap_or_default();
        // A search is dear next to a call, and one is enough for whoever has mistyped a name: the
        // others of a batch are answered without.
        let search = !request.notification
            && Names::can_be_meant(name)
            && !self.searched.swap(true, Ordering::Relaxed);
        let fault = if search {
            self.service.inner.not_found(name)
        } else {
            Fault::not_found(&[])
        };
        self.answer_fault(request.protocol, request.id, request.notification, &fault)
    }

    fn answer_fault(
        &self,
        protocol: Protocol,
        id: Option<Span>,
        notification: bool,
        fault: &Fault,
    ) -> Answered {
        let body = (!notification).then(|| {
            let mut body = Vec::new();
            protocol.write_fault(&mut body, id.clone().map(|id| &self.text()[id]), fault);
            body
        });
        Answered {
            body,
            code: Some(fault.code()),
            protocol,
            id,
            denial: None,
            replaced: false,
            notification,
            request_bytes: 0,
            entry: None,
        }
    }

    /// Gives a handler the parameters of a request, adapted where the protocol asks for it.
    fn run_request(&self, run: Run<'_>, entry: &Entry, request: &Request) -> Started {
        let params = params(self.text(), &request.params);
        if !request.protocol.approximates() {
            return run.with(params);
        }
        match entry.query.approximate(&entry.plan, params) {
            Ok(text) => run.with(Params::given(&text)),
            Err(error) => run.refused(error.into()),
        }
    }

    /// Starts a procedure: the one place at which a handler begins to run. It is counted first, and
    /// its guards are asked; then `begin` gives it its parameters.
    pub(super) fn start(
        &self,
        entry: &Arc<Entry>,
        protocol: Protocol,
        notification: bool,
        begin: impl FnOnce(Run<'_>) -> Started,
    ) -> Beginning {
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

/// The fault of a body that is not to be read. The specification's examples (section 7) show what is
/// no JSON without a reason, and have none of what is nested too deeply.
fn unreadable(error: SyntaxError, nesting: usize) -> Fault {
    match error.kind {
        SyntaxErrorKind::TooDeep => Fault::explained(
            code::PARSE_ERROR,
            format_args!("nested too deeply: at most {nesting} brackets may be open at once"),
        ),
        _ => Fault::protocol(code::PARSE_ERROR),
    }
}

fn params<'a>(text: &'a str, span: &ParamsSpan) -> Params<'a> {
    match span.clone() {
        ParamsSpan::Absent => Params::Absent,
        ParamsSpan::Array(span) => Params::Array(&text[span]),
        ParamsSpan::Object(span) => Params::Object(&text[span]),
    }
}
