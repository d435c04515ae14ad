//! The way of a call: from a body to its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bytestring::ByteString;
use docent_describe::json::{SyntaxError, SyntaxErrorKind};

use super::answered::Answered;
use super::batch;
use super::ending::finish;
use super::start::{Asked, Run, wait_for};
use super::{Entry, Incoming, Refusal, Reply, Service};
use crate::bind::Params;
use crate::closest::Names;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::procedure::Started;
use crate::wire::{self, Invalid, Judged, Message, ParamsSpan, Protocol, Request, Rules, Span};

/// A body that is being answered, with what goes for all of its requests.
pub(super) struct Exchange {
    pub(super) service: Service,
    body: ByteString,
    only: Option<Arc<str>>,
    pub(super) extensions: Option<Arc<Extensions>>,
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
                    format_args!("a batch may have at most {limit} entries; none of them ran"),
                ))
            }
        }
    }

    /// Answers a whole exchange with a fault. Observers hear of it as of a call.
    fn refuse(&self, fault: &Fault) -> Reply {
        self.refuse_in(Protocol::V2_0, fault)
    }

    pub(super) fn refuse_in(&self, protocol: Protocol, fault: &Fault) -> Reply {
        let begun = self.begin();
        let answered = Answered::fault(protocol, fault, None);
        self.tell(&answered, Ending::Answered, self.since(begun));
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
        let begun = self.service.begin();
        let answered = match self.look_up(judged) {
            LookedUp::Callable(request, entry) => self.run(request, entry, begun).await,
            LookedUp::Settled(answered) => answered,
        };
        let taken = self.service.since(begun);
        self.service.tell(&answered, Ending::Answered, taken);
        answered.into_reply()
    }

    /// What a message asks for, or its answer where there is nothing to be called.
    pub(super) fn look_up(&self, judged: Judged) -> LookedUp {
        let request = match judged {
            Judged::Request(request) => request,
            Judged::Invalid(invalid) => return LookedUp::Settled(self.refuse(invalid)),
        };
        let name = request.method.name(self.text());
        if self.only.is_some() && name != self.only.as_deref() {
            return LookedUp::Settled(self.answer_misaddressed(request));
        }
        let entry = name.and_then(|name| self.service.inner.procedures.get(name));
        match entry.map(Arc::clone) {
            Some(entry) => LookedUp::Callable(request, entry),
            None => LookedUp::Settled(self.answer_unknown(request)),
        }
    }

    /// Runs a call.
    pub(super) async fn run(
        &self,
        request: Request,
        entry: Arc<Entry>,
        begun: Option<Instant>,
    ) -> Answered {
        let asked = Asked {
            protocol: request.protocol,
            notification: request.notification,
            request_bytes: request.params.length(),
            begun,
        };
        let started = self.start(&entry, asked, |run| self.run_request(run, &entry, &request));
        let ended = wait_for(started).await;
        let id = request.id.clone().map(|id| &self.text()[id]);
        let answer = finish(ended, request.protocol, id);
        Answered {
            body: (!request.notification).then_some(answer.body),
            code: answer.code,
            denial: answer.denial,
            ..Answered::nothing(request, entry)
        }
    }

    /// Answers a call that never began, because the time of its batch was over.
    pub(super) fn answer_not_started(&self, request: Request, entry: Arc<Entry>) -> Answered {
        if request.notification {
            // Nobody else is going to hear of it.
            let procedure = &*entry.description.name;
            let text = "a notification timed out before it started: its batch ran out of time";
            tracing::warn!(procedure, "{text}");
        }
        let fault = Fault::not_started();
        let (id, silent) = (request.id.clone(), request.notification);
        let answered = self.answer_fault(request.protocol, id, silent, &fault);
        Answered {
            body: answered.body,
            code: answered.code,
            ..Answered::nothing(request, entry)
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
        match entry.adapter.adapt_call(&entry.plan, params) {
            Ok(adapted) => run.with_adapted(adapted),
            Err(error) => run.refused(error.into()),
        }
    }
}

/// What a message asks for.
pub(super) enum LookedUp {
    Callable(Request, Arc<Entry>),
    /// There is nothing to be called: this is the answer.
    Settled(Answered),
}

/// The fault of a body that is not to be read. The specification's examples (section 7) show what is
/// no JSON without a reason, and have none of what is nested too deeply.
fn unreadable(error: SyntaxError, nesting: usize) -> Fault {
    match error.kind {
        SyntaxErrorKind::TooDeep => Fault::explained(
            code::PARSE_ERROR,
            format_args!("nested too deeply: at most {nesting} levels of brackets are allowed"),
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
