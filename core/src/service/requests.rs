//! The requests of a body: what they ask for, and the error if that does not exist.

use std::sync::Arc;
use std::time::Instant;

use super::admitted::Starting;
use super::callable::Callable;
use super::dispatch::Dispatch;
use super::reply::Reply;
use crate::bind::Params;
use crate::call::{Ended, Meta};
use crate::closest::Names;
use crate::code;
use crate::fault::Fault;
use crate::wire::{Invalid, Judged, ParamsSpan, Request, Span};

/// What a message asks for.
pub(super) enum LookedUp<'d> {
    Callable(Request, &'d Callable),
    /// There is nothing to be called: this is said of it.
    Settled(Reply),
}

impl<'s> Dispatch<'s> {
    /// Runs the only request of a body, and tells observers of it.
    pub(super) async fn run_single(&self, judged: Judged) -> Reply {
        let begun = self.service.begin();
        let reply = match self.look_up(judged, begun) {
            LookedUp::Callable(request, callable) => {
                let ended = self.start_request(&request, callable, begun).await;
                self.reply(ended, &request, callable, begun)
            }
            LookedUp::Settled(reply) => reply,
        };
        self.service.tell_answered(&reply, Some(self));
        reply
    }

    /// What a message asks for, or what is said of it where there is nothing to be called.
    pub(super) fn look_up(&self, judged: Judged, begun: Option<Instant>) -> LookedUp<'s> {
        let request = match judged {
            Judged::Request(request) => request,
            Judged::Invalid(invalid) => return LookedUp::Settled(self.invalid(&invalid, begun)),
        };
        let name = request.method.name(self.text());
        let fault = if self.only.is_some() && name != self.only.as_deref() {
            Fault::explained(
                code::INVALID_REQUEST,
                "a request sent to a procedure's own address must name that procedure",
            )
        } else if let Some(callable) = name.and_then(|name| self.service.callable(name)) {
            return LookedUp::Callable(request, callable);
        } else {
            self.unknown(&request)
        };
        let meta = Meta {
            request_bytes: 0,
            ..meta(&request, begun)
        };
        LookedUp::Settled(Reply::fault(meta, self.part(request.id.as_ref()), &fault))
    }

    /// Starts a request. A call of 1.1 is adapted to the procedure first, where nothing is lost.
    #[inline]
    pub(super) fn start_request<'a>(
        &'a self,
        request: &'a Request,
        callable: &'a Callable,
        begun: Option<Instant>,
    ) -> Starting<'a, 's> {
        self.start(callable, meta(request, begun), move |call| {
            let params = self.params(&request.params);
            if request.protocol.adapts() {
                call.with_adapted(callable.adapter.adapt_call(&callable.plan, params))
            } else {
                call.with(params)
            }
        })
    }

    /// The reply to a request that has ended.
    #[inline]
    pub(super) fn reply(
        &self,
        ended: Ended,
        request: &Request,
        callable: &Callable,
        begun: Option<Instant>,
    ) -> Reply {
        let id = self.part(request.id.as_ref());
        let callee = Arc::clone(&callable.callee);
        Reply::ended(ended, meta(request, begun), id, callee)
    }

    /// What stands at a place of the body.
    #[inline]
    pub(super) fn part(&self, span: Option<&Span>) -> Option<&str> {
        span.map(|span| &self.text()[span.clone()])
    }

    fn params(&self, span: &ParamsSpan) -> Params<'_> {
        let text = self.text();
        match span.clone() {
            ParamsSpan::Absent => Params::Absent,
            ParamsSpan::Array(span) => Params::Array(&text[span]),
            ParamsSpan::Object(span) => Params::Object(&text[span]),
        }
    }

    /// The error for an invalid request. It is sent even without an `id`: an invalid request is not
    /// a valid notification.
    fn invalid(&self, invalid: &Invalid, begun: Option<Instant>) -> Reply {
        let fault = match invalid.reason {
            Some(reason) => Fault::explained(code::INVALID_REQUEST, reason),
            None => Fault::protocol(code::INVALID_REQUEST),
        };
        let meta = Meta::bare(invalid.protocol, begun);
        Reply::fault(meta, self.part(invalid.id.as_ref()), &fault)
    }

    fn unknown(&self, request: &Request) -> Fault {
        let name = request.method.name(self.text()).unwrap_or_default();
        if !request.notification && Names::can_be_meant(name) && self.may_search() {
            self.service.not_found(name)
        } else {
            Fault::not_found(&[])
        }
    }
}

/// How a request was made.
#[inline]
pub(super) fn meta(request: &Request, begun: Option<Instant>) -> Meta {
    Meta {
        protocol: request.protocol,
        notification: request.notification,
        request_bytes: request.params.length(),
        begun,
    }
}
