//! The messages that peers send over connections.

use serde_json::json;

use crate::plan::Exchange;
use crate::watch::WatchParams;

/// A message that a peer sends.
#[derive(Debug, Clone)]
pub(crate) enum PeerMessage {
    /// Calls of procedures, alone or in a batch.
    Calls(Exchange),
    /// A subscription.
    Watch(WatchParams),
    /// The end of a subscription.
    Unsubscribe {
        /// The id of the request, or `None` for a notification.
        id: Option<u64>,
        subscription: String,
    },
}

impl PeerMessage {
    /// Returns the message as a peer writes it.
    pub(crate) fn body(&self) -> String {
        let body = match self {
            Self::Calls(exchange) => return exchange.body(),
            Self::Watch(params) => {
                json!({"jsonrpc": "2.0", "method": "watch", "params": params, "id": params.id()})
            }
            Self::Unsubscribe { id, subscription } => {
                let mut request = json!({"jsonrpc": "2.0", "method": "rpc.unsubscribe"});
                request["params"] = json!({ "subscription": subscription });
                if let Some(id) = id {
                    request["id"] = (*id).into();
                }
                request
            }
        };
        body.to_string()
    }

    /// Returns the number of calls that observers are notified of.
    pub(crate) fn calls(&self) -> usize {
        match self {
            Self::Calls(exchange) => exchange.calls.len(),
            _ => 1,
        }
    }

    /// Returns the ids under which it is answered.
    pub(super) fn ids(&self) -> Vec<u64> {
        match self {
            Self::Calls(exchange) => exchange.calls.iter().filter_map(|call| call.id).collect(),
            Self::Watch(params) => vec![params.id()],
            Self::Unsubscribe { id, .. } => id.iter().copied().collect(),
        }
    }
}
