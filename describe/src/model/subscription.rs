//! What a service sends by itself: the items of subscriptions, and over which carriers.

use super::procedure::ReturnDescription;
use crate::json::Object;

/// The word for a subscription whose end is not told.
pub const UNTOLD: &str = "untold";

/// A procedure that yields items instead of a result. A call is answered with the id of the subscription, and each item
/// arrives in a notification.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SubscriptionDescription {
    /// An item.
    pub item: ReturnDescription,
    /// The name of the notification that carries an item; `None` if it is the name of the procedure.
    pub notification: Option<String>,
    /// The fate of a subscriber who reads too slowly; `None` if unknown.
    pub behind: Option<Behind>,
    /// The name of the optional parameter that takes the cursor of the last item seen; `None` if a subscription cannot
    /// be resumed.
    pub resume: Option<String>,
    /// True if the service does not tell when a subscription ends.
    pub ends_untold: bool,
    /// Extensions; their names start with `$`.
    pub extensions: Object,
}

words! {
    /// The fate of a subscriber who reads more slowly than items come.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Behind {
        /// The subscription ends with an error.
        End = "end",
        /// The oldest items are lost, and the next one tells how many.
        Skip = "skip",
        /// The source of the items waits, so that none is lost.
        Wait = "wait",
    }
}

words! {
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
pub struct Carrier {
    /// The name of the carrier: `http`, `sse`, `websocket` or `stdio`.
    pub name: String,
    /// The URL for it; `None` if unknown.
    pub address: Option<String>,
}

impl Carrier {
    /// The names of the carriers that the format knows.
    pub const NAMES: [&str; 4] = ["http", "sse", "websocket", "stdio"];
}
