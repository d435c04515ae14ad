//! The carriers of messages, their directions, and the fate of slow subscribers.
//!
//! The subscription itself is part of its procedure.

/// The value of `ends` in the format for a subscription whose end is not reported.
pub const END_UNTOLD: &str = "untold";

named_variants! {
    /// The fate of a subscriber who reads more slowly than items come. These are all that the format has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LagPolicy {
        /// The subscription ends with an error.
        End = "end",
        /// The oldest items are lost, and the next one has their number.
        Skip = "skip",
        /// The source of the items waits, so that none is lost.
        Wait = "wait",
    }
}

named_variants! {
    /// The side that sends a request or a notification.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Direction {
        /// Clients call the service.
        #[default]
        Client = "client",
        /// The service sends it: a notification, or a request that the client answers.
        Server = "server",
    }
}

/// A way to carry messages to the service and back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Carrier {
    /// The name of the carrier: `http`, `sse`, `websocket` or `stdio`.
    pub name: String,
    /// The URL for it; `None` if unknown.
    pub address: Option<String>,
}

impl Carrier {
    /// The names of the carriers that the format knows.
    pub const NAMES: [&str; 4] = ["http", "sse", "websocket", "stdio"];

    /// Creates a carrier whose URL is unknown.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            address: None,
        }
    }
}
