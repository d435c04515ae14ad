//! The way of a call: from a body to its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use bytestring::ByteString;

use super::batch;
use super::ending::{Interruption, failed, finish};
use super::running::Running;
use super::{Entry, Incoming, Reply, Service};
use crate::bind::Params;
use crate::cx::{Call, Extensions};
use crate::fault::{Fault, code};
use crate::output::Output;
use crate::procedure::{Ended, Started};
use crate::wire::{self, Invalid, Judged, Message, ParamsSpan, Protocol, Request, Rules, Span};

/// A body that is being answered, with what goes for all of its requests.
#[derive(Clone)]
pub(super) struct Exchange {
    pub(super) service: Service,
    body: ByteString,
    only: Option<Arc<str>>,
    extensions: Option<Arc<Extensions>>,
}

impl Service {
    pub(super) async fn answer(self, incoming: Incoming) -> Reply {
        let limits = &self.inner.frame.limits;
        if incoming.body.len() > limits.body {
            return Reply::refusal(super::reply::Refusal::TooLarge { limit: limits.body });
        }
        let rules = Rules {
            nesting: limits.nesting,
            batch: limits.batch,
            protocols: self.inner.frame.protocols,
        };
        let Ok(body) = ByteString::try_from(incoming.body) else {
            return Reply::fault(&Fault::protocol(code::PARSE_ERROR));
        };
        let Ok(message) = wire::read(&body, rules) else {
            return Reply::fault(&Fault::protocol(code::PARSE_ERROR));
        };
        let only = incoming.only.map(Arc::from);
        let exchange = Exchange::new(self, body, only, incoming.extensions);
        match message {
            Message::Single(judged) => exchange.answer_one(judged).await,
            // Boxed, so that the future of a single call does not carry the room for a batch.
            Message::Batch(entries) => Box::pin(batch::answer(exchange, entries)).await,
            Message::EmptyBatch => Reply::fault(&Fault::protocol(code::INVALID_REQUEST)),
            Message::BatchTooLarge => {
                let limit = exchange.service.inner.frame.limits.batch;
                Reply::fault(&Fault::explained(
                    code::BATCH_TOO_LARGE,
                    format_args!("a batch may have at most {limit} entries; nothing was run"),
                ))
            }
        }
    }
}

/// What a request came to.
pub(super) struct Answered {
    /// The answer; none where nothing is to be said.
    pub(super) body: Option<Vec<u8>>,
    pub(super) code: Option<i64>,
    pub(super) protocol: Protocol,
    pub(super) id: Option<Span>,
    entry: Option<Arc<Entry>>,
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
        let limit = self.limit();
        let answered = self.judge_and_run(judged, limit).await;
        let reply = Reply::new(answered.body, answered.protocol, answered.code);
        match &answered.entry {
            Some(entry) => reply.of(entry),
            None => reply,
        }
    }

    /// Answers one message or one entry of a batch, with at most `limit` bytes.
    pub(super) async fn judge_and_run(&self, judged: Judged, limit: usize) -> Answered {
        let request = match judged {
            Judged::Request(request) => request,
            Judged::Invalid(invalid) => return self.refuse(invalid),
        };
        let name = request.method.name(self.text());
        if self.only.is_some() && name != self.only.as_deref() {
            return self.refuse(Invalid {
                protocol: request.protocol,
                id: request.id,
                reason: Some(
                    "a request sent to a procedure's own address must name that procedure",
                ),
            });
        }
        let entry = name.and_then(|name| self.service.inner.procedures.get(name));
        let Some(entry) = entry.map(Arc::clone) else {
            return self.answer_fault(&request, &Fault::protocol(code::METHOD_NOT_FOUND));
        };
        let notification = request.notification;
        let started = self.start_request(&entry, &request, limit);
        let ended = wait_for(&entry, started).await;
        let id = request.id.clone().map(|id| &self.text()[id]);
        let (body, code) = finish(&entry, ended, request.protocol, id);
        Answered {
            body: (!notification).then_some(body),
            code,
            protocol: request.protocol,
            id: request.id,
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
        let mut body = Vec::new();
        let id = invalid.id.clone().map(|id| &self.text()[id]);
        invalid.protocol.write_fault(&mut body, id, &fault);
        Answered {
            body: Some(body),
            code: Some(fault.code()),
            protocol: invalid.protocol,
            id: invalid.id,
            entry: None,
        }
    }

    fn answer_fault(&self, request: &Request, fault: &Fault) -> Answered {
        let body = (!request.notification).then(|| {
            let mut body = Vec::new();
            let id = request.id.clone().map(|id| &self.text()[id]);
            request.protocol.write_fault(&mut body, id, fault);
            body
        });
        Answered {
            body,
            code: Some(fault.code()),
            protocol: request.protocol,
            id: request.id.clone(),
            entry: None,
        }
    }

    fn start_request(&self, entry: &Arc<Entry>, request: &Request, limit: usize) -> Beginning {
        let Request {
            protocol,
            notification,
            ..
        } = *request;
        let params = params(self.text(), &request.params);
        if !protocol.approximates() {
            return self.start(entry, protocol, notification, params, limit);
        }
        match entry.query.approximate(&entry.plan, params) {
            Ok(text) => self.start(entry, protocol, notification, Params::given(&text), limit),
            Err(error) => Beginning::Ended((Output::new(limit, notification), Err(error.into()))),
        }
    }

    /// Starts a procedure: the one place at which a handler begins to run.
    pub(super) fn start(
        &self,
        entry: &Arc<Entry>,
        protocol: Protocol,
        notification: bool,
        params: Params<'_>,
        limit: usize,
    ) -> Beginning {
        let mut output = Output::new(limit, notification);
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
            _permit: permit,
        });
        let begin = || {
            entry
                .handler
                .start(Arc::clone(&call), &entry.plan, params, output)
        };
        match catch_unwind(AssertUnwindSafe(begin)) {
            Ok(Started::Ended(ended)) => Beginning::Ended(ended),
            Ok(Started::Running(task)) => Beginning::Running(Running::new(task, call)),
            Err(panic) => Beginning::Ended(failed(entry, &Interruption::Panic(panic))),
        }
    }
}

/// What came of [`Exchange::start`].
pub(super) enum Beginning {
    Ended(Ended),
    Running(Running),
}

#[inline]
pub(super) async fn wait_for(entry: &Entry, beginning: Beginning) -> Ended {
    match beginning {
        Beginning::Ended(ended) => ended,
        Beginning::Running(running) => match running.await {
            Ok(ended) => ended,
            Err(interruption) => failed(entry, &interruption),
        },
    }
}

fn params<'a>(text: &'a str, span: &ParamsSpan) -> Params<'a> {
    match span.clone() {
        ParamsSpan::Absent => Params::Absent,
        ParamsSpan::Array(span) => Params::Array(&text[span]),
        ParamsSpan::Object(span) => Params::Object(&text[span]),
    }
}
