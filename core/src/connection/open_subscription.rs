//! A subscription from its response to its end: polls its source, and writes its messages.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;

use bytes::Bytes;
use docent_describe::{LagPolicy, SubscriptionDescription};

use super::message::OutgoingMessage;
use crate::call::{Call, Permit};
use crate::code;
use crate::fault::Fault;
use crate::observer::Ending;
use crate::panic::caught;
use crate::service::{Reply, Service};
use crate::subscription::{
    ItemSource, NewSubscription, OpenedSource, SourceItem, SubscriptionId, is_cursor,
};
use crate::wire::{write_error_object, write_json};

/// A subscription that has been answered. Observers are notified of it when it is dropped.
pub(super) struct OpenSubscription {
    service: Service,
    call: Arc<Call>,
    id: SubscriptionId,
    /// `None` once nothing more is asked of it.
    source: Option<ItemSource>,
    /// The error with which the subscription ends, if it is not sent yet.
    fault: Option<Fault>,
    /// The number of items that were lost since the last message that reported a number.
    missed: u64,
    /// The end, for observers.
    ending: Ending,
    code: Option<i64>,
    sent_bytes: usize,
    _permits: Vec<Permit>,
}

impl OpenSubscription {
    /// Creates the subscription of a call that is answered. The call has ended, so that it gives back its permit.
    /// Returns `None` if the call has given no source.
    pub(super) fn new(service: &Service, new: NewSubscription, response: &Reply) -> Option<Self> {
        let OpenedSource { id, call, items } = new.opened?;
        call.release();
        Some(Self {
            service: service.clone(),
            call,
            id,
            source: Some(items),
            fault: None,
            missed: 0,
            ending: Ending::Cancelled,
            code: None,
            sent_bytes: response.body_length(),
            _permits: new.permits,
        })
    }

    pub(super) fn id(&self) -> SubscriptionId {
        self.id
    }

    /// Returns the moment at which the credentials of the caller end.
    pub(super) fn valid_until(&self) -> Option<SystemTime> {
        self.call.caller()?.valid_until()
    }

    /// Ends the subscription with an error of the protocol, which the next poll returns.
    pub(super) fn end(&mut self, code: i64) {
        self.drop_source();
        self.fault.get_or_insert_with(|| Fault::protocol(code));
    }

    /// Ends the subscription because its peer wants no more.
    pub(super) fn leave(&mut self) {
        self.ending = Ending::Answered;
    }

    /// Returns whether the end has been sent.
    pub(super) fn has_ended(&self) -> bool {
        self.ending == Ending::Answered
    }

    /// Returns the next message, if there is one.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Option<OutgoingMessage> {
        let Some(source) = &mut self.source else {
            let fault = self.fault.take();
            return Some(self.finish(fault));
        };
        match self.call.attempt(|| Ok(source.as_mut().poll_next(cx))) {
            Ok(Poll::Pending) => None,
            Ok(Poll::Ready(Some(Ok(SourceItem::Value {
                json,
                cursor,
                missed,
            })))) => self
                .add_missed(missed)
                .or_else(|| Some(self.item(&json, cursor))),
            Ok(Poll::Ready(Some(Ok(SourceItem::Missed(items))))) => {
                let end = self.add_missed(items);
                if end.is_none() {
                    cx.waker().wake_by_ref();
                }
                end
            }
            Ok(Poll::Ready(Some(Err(fault)))) => Some(self.fail(fault)),
            Ok(Poll::Ready(None)) => Some(self.finish(None)),
            Err(panic) => Some(self.finish(Some(panic))),
        }
    }

    /// Counts items that were lost. Returns the end, if the subscription ends with the first.
    fn add_missed(&mut self, items: u64) -> Option<OutgoingMessage> {
        self.missed = self.missed.saturating_add(items);
        if items == 0 || !self.ends_behind() {
            return None;
        }
        // The data of the error has the number.
        let missed = std::mem::take(&mut self.missed);
        Some(self.finish(Some(Fault::fell_behind(missed))))
    }

    fn described(&self) -> Option<&SubscriptionDescription> {
        self.call.callee().description.subscription.as_ref()
    }

    /// Returns whether the subscription ends when items are lost.
    fn ends_behind(&self) -> bool {
        self.described()
            .is_some_and(|described| described.behind == Some(LagPolicy::End))
    }

    /// Returns the message of an item, or the end if the item cannot be sent.
    fn item(&mut self, json: &Bytes, cursor: Option<String>) -> OutgoingMessage {
        if let Err(mismatch) = self.service.check_item(&self.call, json) {
            return self.finish(Some(mismatch));
        }
        if cursor.as_deref().is_some_and(|cursor| !is_cursor(cursor)) {
            let cause = "a cursor is empty, \"-\", or has NUL, a line break or blanks at its ends, which Last-Event-ID cannot carry";
            return self.fail(Fault::internal(cause));
        }
        let mut body = self.begin(json.len());
        body.extend_from_slice(b",\"result\":");
        body.extend_from_slice(json);
        if let Some(cursor) = &cursor {
            body.extend_from_slice(b",\"cursor\":");
            write_json(&mut body, cursor);
        }
        self.write_end(&mut body);
        if body.len() > self.service.limits().max_response_bytes {
            return self.finish(Some(Fault::protocol(code::RESPONSE_TOO_LARGE)));
        }
        self.missed = 0;
        self.sent_bytes = self.sent_bytes.saturating_add(body.len());
        OutgoingMessage::Item { body, cursor }
    }

    /// Ends the subscription with an error of its handler.
    fn fail(&mut self, fault: Fault) -> OutgoingMessage {
        let fault = self.call.publish(fault);
        self.finish(Some(fault))
    }

    /// Ends the subscription. Returns the message that says so; it has no body if the service reports no ends.
    fn finish(&mut self, mut fault: Option<Fault>) -> OutgoingMessage {
        self.drop_source();
        let mut body = self.end_body(fault.as_ref());
        // An error may have as much text as an item, and is bounded like one.
        if body.len() > self.service.limits().max_response_bytes {
            fault = Some(Fault::protocol(code::RESPONSE_TOO_LARGE));
            body = self.end_body(fault.as_ref());
        }
        self.ending = Ending::Answered;
        self.code = fault.map(|fault| fault.code());
        if self
            .described()
            .is_some_and(|described| described.ends_untold)
        {
            body = Vec::new();
        }
        self.sent_bytes = self.sent_bytes.saturating_add(body.len());
        OutgoingMessage::End {
            body,
            code: self.code,
        }
    }

    fn end_body(&self, fault: Option<&Fault>) -> Vec<u8> {
        let mut body = self.begin(0);
        match fault {
            None => body.extend_from_slice(b",\"ended\":true"),
            Some(fault) => {
                body.extend_from_slice(b",\"error\":");
                write_error_object(&mut body, fault);
            }
        }
        self.write_end(&mut body);
        body
    }

    /// Begins a message, with capacity for an item of this length.
    fn begin(&self, item: usize) -> Vec<u8> {
        let name = self.call.callee().description.item_notification();
        let mut body = Vec::with_capacity(item + 192);
        body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":");
        write_json(&mut body, &name);
        body.extend_from_slice(b",\"params\":{\"subscription\":");
        write_json(&mut body, &self.id);
        body
    }

    /// Ends a message, with the number of items that were lost before it.
    fn write_end(&self, body: &mut Vec<u8>) {
        if self.missed > 0 {
            body.extend_from_slice(b",\"missed\":");
            write_json(body, &self.missed);
        }
        body.extend_from_slice(b"}}");
    }

    /// Drops the source, which may panic.
    fn drop_source(&mut self) {
        let Self { call, source, .. } = self;
        if let Err(panic) = caught(|| drop(source.take())) {
            call.in_span(|| call.report().panicked("a procedure", panic));
        }
    }
}

impl Drop for OpenSubscription {
    fn drop(&mut self) {
        self.call.cancel();
        self.drop_source();
        self.service
            .notify_subscription_ended(&self.call, self.ending, self.code, self.sent_bytes);
    }
}
