//! Remembers what one message of a client means for others: the requests that it may cancel, and the
//! version that it speaks.

use docent_core::carrier::McpVersion;
use futures_util::future::AbortHandle;
use serde_json::Value;

/// The requests that are being answered, by their position among all messages.
#[derive(Debug, Default)]
pub(super) struct PendingRequests {
    requests: Vec<(usize, Value, AbortHandle)>,
    /// The version that the client asked for in `initialize`.
    pub(super) version: Option<McpVersion>,
}

impl PendingRequests {
    /// Remembers a request, and does what a cancellation asks for. What cannot be read is neither.
    pub(super) fn receive(&mut self, position: usize, message: &[u8], handle: AbortHandle) {
        let message: Value = serde_json::from_slice(message).unwrap_or_default();
        if message["method"] == "initialize"
            && let Some(version) = message["params"]["protocolVersion"].as_str()
        {
            self.version = Some(McpVersion(version.to_owned()));
        }
        if let Some(id) = message.get("id") {
            self.requests.push((position, id.clone(), handle));
        } else if message["method"] == "notifications/cancelled" {
            let id = message["params"].get("requestId");
            // A client should have only one request with an ID.
            for (_, other, handle) in &self.requests {
                if id == Some(other) {
                    handle.abort();
                }
            }
        }
    }

    /// Forgets a request that has been answered.
    pub(super) fn remove(&mut self, position: usize) {
        self.requests.retain(|(other, _, _)| *other != position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_cancelled_by_its_id_while_it_is_being_answered() {
        let mut pending = PendingRequests::default();
        let mut position = 0;
        let mut receive = |pending: &mut PendingRequests, message: &str| {
            let (handle, _) = AbortHandle::new_pair();
            pending.receive(position, message.as_bytes(), handle.clone());
            position += 1;
            handle
        };
        let number = receive(&mut pending, r#"{"id": 7, "method": "tools/call"}"#);
        let text = receive(&mut pending, r#"{"id": "a", "method": "tools/call"}"#);
        for message in [
            r#"{"method": "notifications/cancelled"}"#,
            r#"{"method": "notifications/initialized", "params": {"requestId": "a"}}"#,
            r#"{"id": 9, "method": "notifications/cancelled", "params": {"requestId": "a"}}"#,
            "[",
            "7",
        ] {
            receive(&mut pending, message);
        }
        assert!(!number.is_aborted() && !text.is_aborted());
        let cancel = |id: &str| {
            format!(r#"{{"method": "notifications/cancelled", "params": {{"requestId": {id}}}}}"#)
        };
        receive(&mut pending, &cancel("\"a\""));
        assert!(!number.is_aborted() && text.is_aborted());
        pending.remove(0);
        receive(&mut pending, &cancel("7"));
        assert!(!number.is_aborted());
    }
}
