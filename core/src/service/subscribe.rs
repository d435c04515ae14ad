//! Subscriptions as dispatch grants them: to a request of its own, over a connection that can have one more.

use std::sync::Arc;

use super::dispatch::{Dispatch, DispatchInput};
use crate::call::Call;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::subscription::{NewSubscription, Subscriber, needs_connection};
use crate::wire::Protocol;

impl Dispatch<'_> {
    /// Creates the subscription that a call opens, if its request may be one and its connection can have one more.
    #[cold]
    pub(super) fn subscribe(
        &self,
        call: &Call,
        input: &DispatchInput<'_>,
    ) -> Result<Box<NewSubscription>, Fault> {
        let has_key = match input {
            DispatchInput::Request(request) => self.has_key(request),
            _ => false,
        };
        let reason = if call.meta.protocol != Protocol::V2_0 {
            Some("only JSON-RPC 2.0 has subscriptions")
        } else if self.is_batch {
            Some("a subscription cannot be part of a batch: send its request by itself")
        } else if call.meta.notification {
            Some("a subscription needs an id: it is answered")
        } else if has_key {
            Some("a subscription cannot have a key")
        } else {
            None
        };
        if let Some(reason) = reason {
            return Err(Fault::explained(code::INVALID_REQUEST, reason));
        }
        let extensions = self.extensions.as_deref();
        match extensions.and_then(Extensions::get::<Arc<Subscriber>>) {
            Some(subscriber) => {
                NewSubscription::new(subscriber, &self.service.inner.frame.subscriptions)
            }
            None => Err(needs_connection(self.service.description())),
        }
    }
}
