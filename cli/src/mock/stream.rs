//! The messages that a mock sends after the answer to a subscription: the items, and the end.
//!
//! Everything is there at once, so nothing waits: a stream is the messages that follow an answer. Each item of a
//! subscription that resumes has a number as its cursor, one more than that of the item before it.

use docent_core::carrier::LAST_CURSOR;
use docent_describe::ProcedureDescription;
use docent_describe::json::{Json, Object};

/// The subscriptions of a response or a connection.
#[derive(Default)]
pub(super) struct MockStream {
    /// The cursor of `Last-Event-ID`, which replaces the parameter.
    cursor: Option<String>,
    /// The number of subscriptions that were opened.
    opened: usize,
    /// The ids of those whose end is not told.
    open: Vec<String>,
    messages: Vec<StreamMessage>,
}

/// A message that follows the answer to a subscription.
pub(super) struct StreamMessage {
    /// The text; empty for an end that is not told.
    pub(super) text: String,
    /// The cursor to come back with.
    pub(super) cursor: Option<String>,
}

impl MockStream {
    /// Creates the stream of a response, after this `Last-Event-ID`.
    pub(super) fn after(cursor: Option<&str>) -> Self {
        Self {
            cursor: cursor
                .filter(|cursor| !cursor.is_empty())
                .map(str::to_owned),
            ..Self::default()
        }
    }

    /// Returns whether the caller comes back after the end of its subscription.
    pub(super) fn is_after_end(&self) -> bool {
        self.cursor.as_deref() == Some(LAST_CURSOR)
    }

    /// Returns whether a subscription was opened.
    pub(super) fn has_opened(&self) -> bool {
        self.opened > 0
    }

    /// Returns whether the parameters of `rpc.unsubscribe` name a subscription that has not ended.
    pub(super) fn is_open(&self, params: Option<&Json>) -> bool {
        let id = match params {
            Some(Json::Array(ids)) => ids.first().and_then(Json::as_str),
            Some(params) => params.get_str("subscription"),
            None => None,
        };
        self.open.iter().any(|open| Some(&**open) == id)
    }

    /// Opens a subscription, and returns its id. The first item has the cursor `first`; those up to `after` are left
    /// out.
    pub(super) fn open(
        &mut self,
        procedure: &ProcedureDescription,
        items: &[Json],
        first: i64,
        after: Option<i64>,
    ) -> String {
        self.opened += 1;
        let id = format!("s{}", self.opened);
        let Some(subscription) = &procedure.subscription else {
            return id;
        };
        let message = |params: Object| {
            let method = procedure.item_notification().unwrap_or_default();
            let message = Object::new()
                .with("jsonrpc", "2.0")
                .with("method", method)
                .with("params", params);
            Json::Object(message).to_string()
        };
        let about = Object::new().with("subscription", &*id);
        let after = match &self.cursor {
            Some(cursor) => cursor.parse().ok(),
            None => after,
        };
        for (number, item) in (first..).zip(items) {
            if after.is_some_and(|after| number <= after) {
                continue;
            }
            let cursor = subscription.resume.as_ref().map(|_| number.to_string());
            let params = about.clone().with("result", item.clone());
            self.messages.push(StreamMessage {
                text: message(params.maybe("cursor", cursor.as_deref())),
                cursor,
            });
        }
        let mut end = String::new();
        if subscription.ends_untold {
            self.open.push(id.clone());
        } else {
            end = message(about.with("ended", true));
        }
        self.messages.push(StreamMessage {
            text: end,
            cursor: Some(LAST_CURSOR.to_owned()),
        });
        id
    }

    /// Takes the messages that follow an answer.
    pub(super) fn take(&mut self) -> Vec<StreamMessage> {
        std::mem::take(&mut self.messages)
    }

    /// Writes the answer and what follows as events.
    pub(super) fn events(&mut self, response: &str) -> String {
        let mut events = format!("data: {response}\n\n");
        for message in self.take() {
            if let Some(cursor) = message.cursor {
                events.extend(["id: ", &cursor, "\n"]);
            }
            if !message.text.is_empty() {
                events.extend(["data: ", &message.text, "\n"]);
            }
            events.push('\n');
        }
        events
    }
}
