//! The messages of a subscription that has begun: its items, and its end.

use std::time::{Duration, Instant};

use docent_describe::code;
use docent_describe::json::{Json, Object};

use super::{End, Follower, RunningSubscription};
use crate::check::finding::{Finding, short_json};
use crate::check::live::caller::TrialCall;
use crate::check::live::response::LiveError;
use crate::check::live::transport::LiveStep;
use crate::check::rule::Rule;

/// A notification that looks like one of a subscription.
pub(super) struct Notification {
    method: String,
    params: Object,
}

impl Follower<'_, '_> {
    /// Takes items until there are enough, none comes in time, or there will be none.
    pub(super) fn take_items(
        &self,
        running: &mut RunningSubscription,
        number: usize,
        silence: Duration,
    ) {
        let start = Instant::now();
        let limit = self.checker.caller.options.max_time;
        while running.cursors.len() < number && running.end.is_none() && start.elapsed() < limit {
            match running.stream.next(silence) {
                LiveStep::Message { text, event_id } => {
                    self.take_message(running, &text, event_id.as_deref());
                }
                LiveStep::Silence => return,
                LiveStep::Closed(reason) => {
                    running.end = Some(End::Closed);
                    if !self.described.ends_untold {
                        let message = format!("the end of the subscription was not told: {reason}");
                        self.add(&running.call, Finding::new(Rule::Closed, message));
                    }
                }
            }
        }
    }

    /// Takes a message, which may be an item or the end of the subscription.
    pub(super) fn take_message(
        &self,
        running: &mut RunningSubscription,
        text: &str,
        event_id: Option<&str>,
    ) {
        let Some(Notification { method, params }) = self.read(text) else {
            return;
        };
        let call = &running.call;
        let id = params.get("subscription").unwrap_or(&Json::Null);
        if *id != running.id {
            let own = short_json(&running.id);
            let id = short_json(id);
            let message = format!("an item of {id} came, and the call was answered with {own}");
            return self.add(call, Finding::new(Rule::ItemForm, message));
        }
        let expected = self.procedure.item_notification().unwrap_or_default();
        if method != expected {
            let message = format!("the notification is {expected:?}, and {method:?} came");
            self.add(call, Finding::new(Rule::ItemForm, message));
        }
        if let Some(error) = params.get("error").filter(|error| **error != Json::Null) {
            running.end = Some(self.failed(call, error));
        } else if let Some(item) = params.get("result") {
            self.take_item(running, item, &params, event_id);
        } else if params.get("ended") == Some(&Json::Bool(true)) {
            running.end = Some(End::Announced);
        } else {
            let message = "a notification came without an item and without an end";
            self.add(call, Finding::new(Rule::ItemForm, message));
        }
    }

    /// Returns the notification that a message is, if it can be one of the subscription.
    pub(super) fn read(&self, text: &str) -> Option<Notification> {
        let json: Json = text.parse().ok()?;
        let method = json.get_str("method")?.to_owned();
        let params = json.get("params")?.as_object()?.clone();
        let is_named = Some(&*method) == self.procedure.item_notification();
        (is_named || params.contains_key("subscription")).then_some(Notification { method, params })
    }

    /// Checks the error with which the subscription ends.
    fn failed(&self, call: &TrialCall, error: &Json) -> End {
        let error = match LiveError::read(error) {
            Ok(error) => error,
            Err(reason) => {
                let message = format!("the end of the subscription is wrong: {reason}");
                self.add(call, Finding::new(Rule::ItemForm, message));
                return End::Failed;
            }
        };
        if error.code == code::INTERNAL_ERROR {
            let message = format!("the subscription ended with {}", error.message);
            self.add(call, Finding::new(Rule::InternalError, message));
        }
        if code::find(error.code).is_some() {
            return End::Failed;
        }
        for finding in self.checker.own_error(self.procedure, &error) {
            self.add(call, finding);
        }
        End::Announced
    }

    /// Checks an item, and remembers its cursor.
    fn take_item(
        &self,
        running: &mut RunningSubscription,
        item: &Json,
        params: &Object,
        event_id: Option<&str>,
    ) {
        let call = &running.call;
        let schema = &self.described.item.schema;
        for finding in self
            .checker
            .violations(Rule::ItemSchema, "the item", schema, item)
        {
            self.add(call, finding);
        }
        let missed = params.get("missed").and_then(Json::as_i64);
        running.has_lost_items |= missed.is_some_and(|missed| missed > 0);
        let cursor = params.get_str("cursor").unwrap_or_default();
        let is_docent = self.checker.caller.is_docent;
        let event_id = event_id.filter(|_| is_docent).unwrap_or(cursor);
        let wrong = if self.described.resume.is_none() {
            None
        } else if cursor.is_empty() {
            Some((Rule::Cursor, "an item came without a cursor".to_owned()))
        } else if event_id != cursor {
            let message = format!("the id of an event is {event_id:?}, and the cursor {cursor:?}");
            Some((Rule::Cursor, message))
        } else if running.cursors.iter().any(|known| known == cursor) {
            let message = format!("two items have the cursor {cursor:?}");
            Some((Rule::ItemRepeated, message))
        } else {
            None
        };
        if let Some((rule, message)) = wrong {
            self.add(call, Finding::new(rule, message));
        }
        running.cursors.push(cursor.to_owned());
    }
}
