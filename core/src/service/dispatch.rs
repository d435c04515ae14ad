//! The way of a call: look-up, start, end, reply.
//!
//! Whatever a transport brings ends up here, and there is no other way to a handler. Batches,
//! queries and tools differ in how they find their requests, not in how these run.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use bytestring::ByteString;
use docent_describe::SimilarNames;

use super::callable::Callable;
use super::credential_checks::CredentialChecks;
use super::reply::Reply;
use super::running::{RunningCall, in_time};
use super::state::Service;
use crate::bind::{Adapted, BindError, Params, invalid_params};
use crate::call::{Call, Callee, Meta};
use crate::code;
use crate::extensions::{Extensions, QueryVersion};
use crate::fault::Fault;
use crate::identity::SharedIdentity;
use crate::output::Output;
use crate::procedure::Started;
use crate::rejection::Rejection;
use crate::wire::{ClassifiedRequest, Invalid, ParsedRequest, TextSpan, key};

/// A body that is being answered, with the properties that all of its requests share.
pub(super) struct Dispatch<'s> {
    pub(super) service: &'s Service,
    pub(super) body: ByteString,
    /// The only procedure that requests may name, if there is such a restriction.
    only: Option<Box<str>>,
    pub(super) extensions: Option<Arc<Extensions>>,
    /// Set if the body is a batch.
    pub(super) is_batch: bool,
    /// Set if the connection of the body runs as many calls as it may.
    pub(super) is_connection_full: bool,
    /// Set once names similar to an unknown one have been searched for.
    searched: AtomicBool,
    /// The checks of the credentials of this body, unless its connection has them.
    own_checks: CredentialChecks,
}

/// The parameters of a call, in the form in which they came.
pub(super) enum DispatchInput<'a> {
    Request(&'a ParsedRequest),
    /// A query string.
    Query(&'a str),
    /// The procedure does not run: this is its result.
    #[cfg_attr(
        not(feature = "mcp"),
        expect(dead_code, reason = "only MCP replaces results")
    )]
    Result(Bytes),
}

/// A call that has begun, as far as it goes without waiting.
pub(super) enum Begun<'s> {
    /// It has ended, because it waited for nothing.
    Ended(Reply),
    /// Its handler has been polled once, and waits for something.
    Waits(Box<OpenCall<'s>>),
}

/// A call that is counted and not yet answered, with the output of its handler.
pub(super) struct OpenCall<'s> {
    running: RunningCall<'s>,
    output: Output,
}

impl<'s> OpenCall<'s> {
    /// Polls the handler for the first time.
    #[inline]
    fn begin(
        mut self,
        dispatch: &Dispatch<'s>,
        callable: &Callable,
        id: Option<&str>,
        input: DispatchInput<'_>,
        cx: &mut Context<'_>,
    ) -> Begun<'s> {
        let call = &self.running.call;
        let output = &mut self.output;
        match call.attempt(|| dispatch.start(call, callable, input, output, cx)) {
            Ok(Some(task)) => {
                self.running.task = Some(task);
                Begun::Waits(Box::new(self))
            }
            ended => Begun::Ended(self.end(ended.map(drop), id)),
        }
    }

    /// Waits for a handler that has been polled once.
    pub(super) async fn finish(mut self, id: Option<&str>) -> Reply {
        let result = self.running.finish().await.written_to(&mut self.output);
        self.end(result, id)
    }

    /// Ends the call with the outcome of its handler, or the reason why that did not run.
    #[inline]
    fn end(mut self, result: Result<(), Fault>, id: Option<&str>) -> Reply {
        let call = &self.running.call;
        let fields = call.take_fields();
        let callee = Arc::clone(call.callee());
        let meta = call.meta;
        let result = self.running.end(&mut self.output, result);
        let mut reply = Reply::ended(self.output, result, meta, id, callee);
        reply.set_fields(fields);
        reply
    }
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
            is_batch: false,
            is_connection_full: false,
            searched: AtomicBool::new(false),
            own_checks: CredentialChecks::default(),
        }
    }

    /// Returns a part of the body.
    #[inline]
    pub(super) fn part(&self, span: Option<&TextSpan>) -> Option<&str> {
        span.map(|span| &self.body[span.clone()])
    }

    /// Returns the caller of a procedure, if it has been found out.
    pub(super) fn caller(&self, callee: &Callee) -> Option<SharedIdentity> {
        self.credential_checks().known(callee.authenticator()?)
    }

    fn credential_checks(&self) -> &CredentialChecks {
        match self
            .extensions
            .as_deref()
            .and_then(Extensions::get::<Arc<CredentialChecks>>)
        {
            Some(of_connection) => of_connection,
            None => &self.own_checks,
        }
    }

    /// Looks up the procedure of a request. Returns the reply if there is nothing to call.
    #[inline]
    pub(super) fn look_up<'r>(
        &self,
        classified: &'r ClassifiedRequest,
        begun: Option<Instant>,
    ) -> Result<(&'r ParsedRequest, &'s Callable), Box<Reply>> {
        let request = match classified {
            ClassifiedRequest::Request(request) => request,
            ClassifiedRequest::Invalid(invalid) => {
                return Err(Box::new(self.invalid(invalid, begun)));
            }
        };
        let name = request.method.name(&self.body);
        let is_elsewhere = self.only.as_deref().is_some_and(|only| name != only);
        let callable = self.service.callable(name);
        match callable.or_else(|| self.service.unknown()) {
            Some(callable) if !is_elsewhere => Ok((request, callable)),
            _ => Err(Box::new(self.uncallable(request, is_elsewhere, begun))),
        }
    }

    /// Creates the reply to an invalid request. It is sent even without an `id`: an invalid request is
    /// not a valid notification.
    #[cold]
    fn invalid(&self, invalid: &Invalid, begun: Option<Instant>) -> Reply {
        let fault = match invalid.reason {
            Some(reason) => Fault::explained(code::INVALID_REQUEST, reason),
            None => Fault::protocol(code::INVALID_REQUEST),
        };
        Reply::fault(
            Meta::bare(invalid.protocol, begun),
            self.part(invalid.id.as_ref()),
            &fault,
        )
    }

    /// Creates the reply to a request whose procedure does not exist, or not at this address.
    #[cold]
    fn uncallable(
        &self,
        request: &ParsedRequest,
        is_elsewhere: bool,
        begun: Option<Instant>,
    ) -> Reply {
        let name = request.method.name(&self.body);
        let fault = if is_elsewhere {
            let reason = "a request sent to a procedure's own address must name that procedure";
            Fault::explained(code::INVALID_REQUEST, reason)
        // A search is expensive compared with a call, and one is enough for a typo.
        } else if !request.notification
            && SimilarNames::can_be_meant(name)
            && !self.searched.swap(true, Ordering::Relaxed)
        {
            self.service.not_found(name)
        } else {
            Fault::not_found(&[])
        };
        let meta = Meta {
            request_bytes: 0,
            ..meta(request, begun)
        };
        Reply::fault(meta, self.part(request.id.as_ref()), &fault)
    }

    /// Calls the procedure of a request.
    #[inline]
    pub(super) fn call_request(
        &self,
        request: &ParsedRequest,
        callable: &Callable,
        begun: Option<Instant>,
    ) -> impl Future<Output = Reply> + Send {
        let id = self.part(request.id.as_ref());
        self.call(
            callable,
            meta(request, begun),
            id,
            DispatchInput::Request(request),
        )
    }

    /// Calls a procedure; every call comes by here or by [`begin`](Self::begin). It is counted, its guards run, its
    /// caller is found out, and the limits of the procedure are checked. Then the handler gets its parameters. `id` is
    /// the JSON text of the request's `id`.
    #[inline]
    pub(super) async fn call(
        &self,
        callable: &Callable,
        meta: Meta,
        id: Option<&str>,
        input: DispatchInput<'_>,
    ) -> Reply {
        let begun = if callable.callee.has_conditions() {
            // Boxed, so that calls without conditions have no room for them.
            Box::pin(self.begin_if_admitted(callable, meta, id, input)).await
        } else {
            in_place(|cx| self.begin(callable, meta, id, input, cx)).await
        };
        match begun {
            Begun::Ended(reply) => reply,
            Begun::Waits(call) => Box::pin(call.finish(id)).await,
        }
    }

    /// Calls a procedure without conditions, until its handler waits for something. Most never do, and those need no
    /// future.
    #[inline]
    pub(super) fn begin(
        &self,
        callable: &Callable,
        meta: Meta,
        id: Option<&str>,
        input: DispatchInput<'_>,
        cx: &mut Context<'_>,
    ) -> Begun<'s> {
        match self.enter(callable, meta, id) {
            Ok(call) => call.begin(self, callable, id, input, cx),
            Err(busy) => Begun::Ended(*busy),
        }
    }

    /// Calls a procedure if its guards admit the call, until its handler waits for something.
    async fn begin_if_admitted(
        &self,
        callable: &Callable,
        meta: Meta,
        id: Option<&str>,
        input: DispatchInput<'_>,
    ) -> Begun<'s> {
        let call = match self.enter(callable, meta, id) {
            Ok(call) => call,
            Err(busy) => return Begun::Ended(*busy),
        };
        match self.admit(&call.running.call).await {
            Ok(()) => in_place(|cx| call.begin(self, callable, id, input, cx)).await,
            Err(refused) => Begun::Ended(call.end(Err(refused), id)),
        }
    }

    /// Opens a call. Returns the reply if there is no room for it.
    #[inline]
    fn enter(
        &self,
        callable: &Callable,
        meta: Meta,
        id: Option<&str>,
    ) -> Result<OpenCall<'s>, Box<Reply>> {
        let max_bytes = self.service.limits().max_response_bytes;
        let mut output = Output::new(max_bytes, meta.notification);
        if !meta.notification {
            meta.protocol.begin_result(&mut output.buffer);
        }
        let callee = &callable.callee;
        match self.count(callee, meta) {
            Ok(running) => Ok(OpenCall { running, output }),
            Err(busy) => {
                let reply = Reply::ended(output, Err(busy), meta, id, Arc::clone(callee));
                Err(Box::new(reply))
            }
        }
    }

    /// Counts a call, if there is room for it.
    #[inline]
    fn count(&self, callee: &Arc<Callee>, meta: Meta) -> Result<RunningCall<'s>, Fault> {
        let service = self.service;
        if !callee.is_always_admitted {
            if self.is_connection_full {
                return Err(service.connection_is_full());
            }
            if service.is_out_of_room() {
                return Err(Fault::protocol(code::BUSY));
            }
        }
        let extensions = self.extensions.clone();
        let call = Call::new(callee, meta, extensions, service.runtime.clone())
            .ok_or_else(|| Fault::protocol(code::BUSY))?;
        Ok(RunningCall::new(service, call))
    }

    /// Decides whether a call may run, within its time.
    pub(super) async fn admit(&self, call: &Arc<Call>) -> Result<(), Fault> {
        let decision = self.credential_checks().decide(self.service, call);
        decide_in_time(call, decision).await
    }

    /// Gives a handler its parameters and starts it.
    #[inline]
    fn start(
        &self,
        call: &Arc<Call>,
        callable: &Callable,
        input: DispatchInput<'_>,
        output: &mut Output,
        cx: &mut Context<'_>,
    ) -> Started {
        if callable.callee.is_subscription() {
            return self.start_subscription(call, callable, &input, output, cx);
        }
        call.keep_limits()?;
        if callable.callee.is_unknown {
            return Err(Fault::not_found(&[]));
        }
        let Callable { handler, plan, .. } = callable;
        let is_query = matches!(input, DispatchInput::Query(_));
        let adapting = match input {
            DispatchInput::Result(text) => return output.set_shared(text).map(|()| None),
            DispatchInput::Query(query) => {
                self.service.check_query(callable, query)?;
                callable.adapter.adapt_query(plan, query)
            }
            DispatchInput::Request(request) => {
                if !callable.is_callable_with_get() && self.has_key(request) {
                    return self.start_with_key(request, call, callable, output, cx);
                }
                let params = self.params(request);
                if !request.protocol.adapts() {
                    return handler.start(Arc::clone(call), plan, params, output, cx);
                }
                callable.adapter.adapt_call(plan, params)
            }
        };
        let params = adapted(adapting, callable)?;
        if is_query && self.is_known(call, callable, &params)? {
            return output.write(&()).map(|()| None);
        }
        handler.start(Arc::clone(call), plan, Some(&params), output, cx)
    }

    /// Finds out the version of a result, if its procedure has one, and returns whether the caller has this
    /// version already.
    fn is_known(&self, call: &Arc<Call>, callable: &Callable, params: &str) -> Result<bool, Fault> {
        let Some(extensions) = &self.extensions else {
            return Ok(false);
        };
        let Some(version) = callable.handler.version(call, &callable.plan, Some(params)) else {
            return Ok(false);
        };
        let callee = call.callee();
        let fields: Vec<_> = callee.fields().collect();
        let caller_fields = match (call.caller(), callee.authenticator()) {
            (Some(_), Some(authenticator)) => authenticator.identifying(extensions),
            _ => &[],
        };
        Ok(extensions.check_version(&QueryVersion {
            version: &version?,
            is_shared: callee.shared_cache,
            fields: &fields,
            caller: call.caller().map(|caller| &**caller),
            caller_fields,
        }))
    }

    #[inline]
    pub(super) fn params(&self, request: &ParsedRequest) -> Params<'_> {
        self.part(request.params.as_ref())
    }

    /// Returns whether the request has a key, or the whole message.
    #[inline]
    pub(super) fn has_key(&self, request: &ParsedRequest) -> bool {
        request.key.is_some() || self.key_field(0).is_some()
    }

    /// Returns the key of the whole message.
    pub(super) fn key_field(&self, index: usize) -> Option<&[u8]> {
        self.extensions
            .as_ref()?
            .fields()?
            .value(key::FIELD_NAME, index)
    }

    #[cfg(not(feature = "keys"))]
    #[cold]
    #[expect(clippy::unused_self, reason = "the same call as with the feature")]
    fn start_with_key(
        &self,
        _: &ParsedRequest,
        _: &Arc<Call>,
        _: &Callable,
        _: &mut Output,
        _: &mut Context<'_>,
    ) -> Started {
        let reason = "this service does not support keys";
        Err(Fault::explained(code::INVALID_REQUEST, reason))
    }
}

/// Waits for the decision about a call, within the time of the call.
pub(super) async fn decide_in_time(
    call: &Call,
    decision: impl Future<Output = Result<(), Rejection>>,
) -> Result<(), Fault> {
    let mut decision = pin!(decision);
    in_time(call, |cx| {
        call.attempt(|| Ok(decision.as_mut().poll(cx)))
            .unwrap_or_else(|fault| Poll::Ready(Err(fault.into())))
    })
    .await?
    .map_err(|rejection| rejection.0)
}

/// Returns parameters that have been adapted, or an error with all their problems: those found
/// during adapting and all others.
pub(super) fn adapted(
    adapted: Result<Adapted, BindError>,
    callable: &Callable,
) -> Result<String, Fault> {
    let Adapted { params, problems } = adapted?;
    if problems.is_empty() {
        return Ok(params);
    }
    Err(invalid_params(&callable.plan, Some(&params), problems).into())
}

/// Returns the properties of a call.
#[inline]
pub(super) fn meta(request: &ParsedRequest, begun: Option<Instant>) -> Meta {
    Meta {
        protocol: request.protocol,
        notification: request.notification,
        is_tool: false,
        request_bytes: request.params.as_ref().map_or(0, TextSpan::len),
        begun,
    }
}

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
