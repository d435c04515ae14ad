//! Requests that are being answered, and that a client may cancel.

use futures_util::future::AbortHandle;
use serde_json::Value;
use serde_json::value::RawValue;

/// The requests that are being answered, by their position among all messages.
#[derive(Debug, Default)]
pub(super) struct PendingRequests(Vec<(usize, Value, AbortHandle)>);

impl PendingRequests {
    /// Remembers a request.
    pub(super) fn add(&mut self, place: usize, id: Value, handle: AbortHandle) {
        self.0.push((place, id, handle));
    }

    /// Forgets a request that has been answered.
    pub(super) fn remove(&mut self, place: usize) {
        self.0.retain(|(other, _, _)| *other != place);
    }

    /// Cancels the requests with this ID, of which a client should have only one.
    pub(super) fn cancel(&mut self, id: &Value) {
        for (_, other, handle) in &self.0 {
            if other == id {
                handle.abort();
            }
        }
    }
}

/// The kind of a message, as far as it can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// A request with this ID.
    Request(Value),
    /// A cancellation of the request with this ID.
    Cancels(Value),
    /// Any other message.
    Other,
}

impl MessageKind {
    pub(super) fn read(message: &[u8]) -> Self {
        Self::try_read(message).unwrap_or(Self::Other)
    }

    fn try_read(message: &[u8]) -> Option<Self> {
        // Only the members that are needed become values: the rest may be large.
        let members: std::collections::HashMap<String, &RawValue> =
            serde_json::from_slice(message).ok()?;
        let value = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).ok();
        if let Some(id) = members.get("id") {
            return Some(Self::Request(value(id)?));
        }
        if value(members.get("method")?)? != "notifications/cancelled" {
            return None;
        }
        let params: std::collections::HashMap<String, &RawValue> =
            serde_json::from_str(members.get("params")?.get()).ok()?;
        Some(Self::Cancels(value(params.get("requestId")?)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_a_request_or_cancels_one() {
        for (message, about) in [
            (
                r#"{"id": 7, "method": "tools/call"}"#,
                MessageKind::Request(json!(7)),
            ),
            (
                r#"{"method": "notifications/cancelled", "params": {"requestId": "a"}}"#,
                MessageKind::Cancels(json!("a")),
            ),
            (
                r#"{"method": "notifications/cancelled"}"#,
                MessageKind::Other,
            ),
            (
                r#"{"method": "notifications/initialized"}"#,
                MessageKind::Other,
            ),
            ("[", MessageKind::Other),
            ("7", MessageKind::Other),
        ] {
            assert_eq!(MessageKind::read(message.as_bytes()), about, "{message}");
        }
    }
}
