//! Subscriptions as dispatch grants them: to a request of its own, over a connection that can have one more.

use std::borrow::Cow;
use std::sync::Arc;
use std::task::Context;

use super::callable::Callable;
use super::dispatch::{Dispatch, DispatchInput, adapted};
use crate::call::Call;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::output::Output;
use crate::procedure::Started;
use crate::subscription::{LAST_CURSOR, NewSubscription, Subscriber, needs_connection};
use crate::wire::Protocol;

impl Dispatch<'_> {
    /// Starts the handler of a subscription, if its request may be one and its connection can have one more. A cursor
    /// of the connection takes the place of the resume parameter.
    #[cold]
    pub(super) fn start_subscription(
        &self,
        call: &Arc<Call>,
        callable: &Callable,
        input: &DispatchInput<'_>,
        output: &mut Output,
        cx: &mut Context<'_>,
    ) -> Started {
        let subscriber = self.subscriber(call, input)?;
        if subscriber.cursor.as_deref() == Some(LAST_CURSOR) {
            return Err(Fault::cannot_resume());
        }
        let subscriptions = &self.service.inner.frame.subscriptions;
        output.subscription = Some(NewSubscription::new(subscriber, subscriptions)?);
        call.keep_limits()?;
        let Callable {
            handler,
            plan,
            adapter,
            ..
        } = callable;
        let mut params = match input {
            DispatchInput::Request(request) => self.params(request).map(Cow::Borrowed),
            DispatchInput::Query(query) => {
                self.service.check_query(callable, query)?;
                Some(adapted(adapter.adapt_query(plan, query), callable)?.into())
            }
            DispatchInput::Result(_) => None,
        };
        let described = call.callee().description.subscription.as_ref();
        let resume = described.and_then(|described| described.resume.as_deref());
        if let (Some(resume), Some(cursor)) = (resume, &subscriber.cursor) {
            let replaced = adapter.replace(plan, params.as_deref(), resume, cursor);
            params = Some(adapted(replaced, callable)?.into());
        }
        handler.start(Arc::clone(call), plan, params.as_deref(), output, cx)
    }

    /// Returns the subscriber of the connection, if a request may be a subscription.
    fn subscriber(
        &self,
        call: &Call,
        input: &DispatchInput<'_>,
    ) -> Result<&Arc<Subscriber>, Fault> {
        if let Some(reason) = self.unfit_for_subscription(call, input) {
            return Err(Fault::explained(code::INVALID_REQUEST, reason));
        }
        self.extensions
            .as_deref()
            .and_then(Extensions::get)
            .ok_or_else(|| needs_connection(self.service.description(), &["http"]))
    }

    /// Returns the reason why a request cannot be a subscription; `None` if it can.
    fn unfit_for_subscription(
        &self,
        call: &Call,
        input: &DispatchInput<'_>,
    ) -> Option<&'static str> {
        if call.meta.protocol != Protocol::V2_0 {
            return Some("only JSON-RPC 2.0 has subscriptions");
        }
        if self.is_batch {
            return Some("a subscription cannot be part of a batch: send its request by itself");
        }
        if call.meta.notification {
            return Some("a subscription needs an id: it is answered");
        }
        match input {
            DispatchInput::Request(request) if self.has_key(request) => {
                Some("a subscription cannot have a key")
            }
            _ => None,
        }
    }
}
