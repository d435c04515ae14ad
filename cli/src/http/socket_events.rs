//! The events of a subscription over a WebSocket.

use std::sync::Arc;

use docent_client::{Event, EventBody};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;

/// The events of a subscription.
pub(crate) struct SocketEvents {
    /// That of the connection, which runs only while something is waited for.
    runtime: Arc<Runtime>,
    events: EventBody,
}

impl SocketEvents {
    pub(super) fn new(runtime: Arc<Runtime>, events: EventBody) -> Self {
        Self { runtime, events }
    }

    /// Waits for the next event. An error is the reason for which there will be none.
    pub(super) fn next(&mut self) -> Result<Event, String> {
        match self.runtime.block_on(self.events.next()) {
            Some(event) => event.map_err(|error| error.to_string()),
            None => Err("the subscription has ended".to_owned()),
        }
    }
}
