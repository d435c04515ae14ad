//! The requests of a body: their procedures, or the errors of requests without one.

use std::sync::Arc;
use std::task::Context;
use std::time::Instant;

use bytestring::ByteString;

use super::admitted::Admitted;
use super::callable::Callable;
use super::dispatch::Dispatch;
use super::reply::Reply;
use super::rest::Rest;
use docent_describe::SimilarNames;

use crate::bind::{Adapted, Params};
use crate::call::{Ended, Meta, Started};
use crate::code;
use crate::fault::Fault;
use crate::procedure::Task;
use crate::wire::{Invalid, Judged, ParamsSpan, Request, Span};

/// The result of looking up the procedure of a request. The request is borrowed, because moving it
/// takes as long as the lookup.
pub(super) enum LookedUp<'r, 's> {
    Callable(&'r Request, &'s Callable),
    /// There is nothing to call; this is the reply.
    Settled(Reply),
}

/// A call that waits, with everything that is needed to answer it.
pub(super) struct Unanswered<'s> {
    request: Request,
    callable: &'s Callable,
    begun: Option<Instant>,
    rest: Rest<'s>,
}

impl<'s> Dispatch<'s> {
    /// Begins the only request of a body. Returns the reply if the call does not wait for anything;
    /// observers have then been notified.
    #[inline]
    pub(super) fn begin_single(
        &self,
        judged: &Judged,
        cx: &mut Context<'_>,
    ) -> Result<Reply, Box<Unanswered<'s>>> {
        let begun = self.service.begin();
        let reply = match self.look_up(judged, begun) {
            LookedUp::Callable(request, callable) => {
                self.begin_request(request, callable, begun, cx)?
            }
            LookedUp::Settled(reply) => reply,
        };
        self.service.tell_answered(&reply, Some(self));
        Ok(reply)
    }

    /// Begins a request. Returns the reply, or the rest of a call that waits for something.
    #[inline]
    pub(super) fn begin_request(
        &self,
        request: &Request,
        callable: &'s Callable,
        begun: Option<Instant>,
        cx: &mut Context<'_>,
    ) -> Result<Reply, Box<Unanswered<'s>>> {
        let meta = meta(request, begun);
        let mut output = self.output(&meta);
        let bind = self.parameters(request, callable);
        match self.start(callable, meta, &mut output, cx, bind) {
            Started::Ended(result) => {
                let ended = Ended { output, result };
                Ok(self.reply(ended, request, callable, begun))
            }
            Started::Running(rest) => Err(Box::new(Unanswered {
                request: request.clone(),
                callable,
                begun,
                rest,
            })),
        }
    }

    /// Waits for the only call of a body, and notifies observers of it.
    pub(super) async fn end_single(&self, unanswered: Box<Unanswered<'s>>) -> Reply {
        let reply = self.end_unanswered(unanswered).await;
        self.service.tell_answered(&reply, Some(self));
        reply
    }

    /// Waits for a call.
    pub(super) async fn end_unanswered(&self, unanswered: Box<Unanswered<'s>>) -> Reply {
        let Unanswered {
            request,
            callable,
            begun,
            rest,
        } = *unanswered;
        self.end_request(rest, &request, callable, begun).await
    }

    /// Looks up the procedure of a request, or creates the reply if there is nothing to call.
    #[inline]
    pub(super) fn look_up<'r>(
        &self,
        judged: &'r Judged,
        begun: Option<Instant>,
    ) -> LookedUp<'r, 's> {
        let request = match judged {
            Judged::Request(request) => request,
            Judged::Invalid(invalid) => return LookedUp::Settled(self.invalid(invalid, begun)),
        };
        let name = request.method.name(self.text());
        let is_elsewhere = self.only.is_some() && name != self.only.as_deref();
        let callable = name.and_then(|name| self.service.callable(name));
        match callable.or_else(|| self.service.unknown()) {
            Some(callable) if !is_elsewhere => LookedUp::Callable(request, callable),
            _ => LookedUp::Settled(self.uncallable(request, is_elsewhere, begun)),
        }
    }

    /// Creates the reply to a request whose procedure does not exist, or not at this address.
    #[cold]
    fn uncallable(&self, request: &Request, is_elsewhere: bool, begun: Option<Instant>) -> Reply {
        let fault = if is_elsewhere {
            Fault::explained(
                code::INVALID_REQUEST,
                "a request sent to a procedure's own address must name that procedure",
            )
        } else {
            self.not_found(request)
        };
        let meta = Meta {
            request_bytes: 0,
            ..meta(request, begun)
        };
        Reply::fault(meta, self.part(request.id.as_ref()), &fault)
    }

    /// Waits for the rest of a request.
    pub(super) async fn end_request(
        &self,
        rest: Rest<'s>,
        request: &Request,
        callable: &Callable,
        begun: Option<Instant>,
    ) -> Reply {
        let ended = self.end(rest, self.parameters(request, callable)).await;
        self.reply(ended, request, callable, begun)
    }

    /// Returns the function that passes the parameters to a call. Parameters of 1.1 are adapted to
    /// the procedure first, if nothing is lost by it.
    #[inline]
    pub(super) fn parameters<'a>(
        &'a self,
        request: &'a Request,
        callable: &'a Callable,
    ) -> impl FnOnce(Admitted<'_, '_>) -> Started<Task> + 'a {
        move |call| {
            if self.has_key(request, callable.is_callable_with_get()) {
                return self.begin_with_key(request, callable, call);
            }
            let params = self.params(&request.params);
            if request.protocol.adapts() {
                call.with_adapted(callable.adapter.adapt_call(&callable.plan, params))
            } else {
                call.with(params)
            }
        }
    }

    /// Does the same as [`parameters`](Self::parameters), for a call with a key.
    #[cold]
    fn begin_with_key(
        &self,
        request: &Request,
        callable: &Callable,
        call: Admitted<'_, '_>,
    ) -> Started<Task> {
        if !request.protocol.adapts() {
            let params = self.params_of_its_own(&request.params);
            return self.start_with_key(request, call, params);
        }
        let params = self.params(&request.params);
        match callable.adapter.adapt_call(&callable.plan, params) {
            Ok(Adapted { params, problems }) if problems.is_empty() => {
                self.start_with_key(request, call, params.into())
            }
            wrong => call.with_adapted(wrong),
        }
    }

    /// Creates the reply to a request that has ended.
    #[inline]
    pub(super) fn reply(
        &self,
        ended: Ended,
        request: &Request,
        callable: &Callable,
        begun: Option<Instant>,
    ) -> Reply {
        let id = self.part(request.id.as_ref());
        let callee = || Arc::clone(&callable.callee);
        let callee = self.names_procedures.then(callee);
        Reply::ended(ended, meta(request, begun), id, callee)
    }

    /// Returns a part of the body.
    #[inline]
    pub(super) fn part(&self, span: Option<&Span>) -> Option<&str> {
        span.map(|span| &self.text()[span.clone()])
    }

    #[inline]
    fn params(&self, span: &ParamsSpan) -> Params<'_> {
        let text = self.text();
        match span.clone() {
            ParamsSpan::Absent => Params::Absent,
            ParamsSpan::Array(span) => Params::Array(&text[span]),
            ParamsSpan::Object(span) => Params::Object(&text[span]),
        }
    }

    /// Returns the text of the parameters, for a call that may outlive the exchange. It is empty if
    /// there are none.
    fn params_of_its_own(&self, span: &ParamsSpan) -> ByteString {
        match span {
            ParamsSpan::Absent => ByteString::new(),
            ParamsSpan::Array(span) | ParamsSpan::Object(span) => self.body(span),
        }
    }

    /// Returns the error for an invalid request. It is sent even without an `id`: an invalid
    /// request is not a valid notification.
    #[cold]
    fn invalid(&self, invalid: &Invalid, begun: Option<Instant>) -> Reply {
        let fault = match invalid.reason {
            Some(reason) => Fault::explained(code::INVALID_REQUEST, reason),
            None => Fault::protocol(code::INVALID_REQUEST),
        };
        let meta = Meta::bare(invalid.protocol, begun);
        Reply::fault(meta, self.part(invalid.id.as_ref()), &fault)
    }

    fn not_found(&self, request: &Request) -> Fault {
        let name = request.method.name(self.text()).unwrap_or_default();
        if !request.notification && SimilarNames::can_be_meant(name) && self.may_search() {
            self.service.not_found(name)
        } else {
            Fault::not_found(&[])
        }
    }
}

/// Returns the properties of a call.
#[inline]
pub(super) fn meta(request: &Request, begun: Option<Instant>) -> Meta {
    Meta {
        protocol: request.protocol,
        notification: request.notification,
        request_bytes: request.params.length(),
        begun,
    }
}
