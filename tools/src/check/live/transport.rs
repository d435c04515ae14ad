//! The way to the service, which the caller of this crate provides.
//!
//! A subscription is a stream of whole messages, whatever carries them: the events of a response, or a connection that
//! takes messages, too.

use std::time::Duration;

use url::Url;

use super::response::{LiveResponse, Unanswered};

/// Sends the requests of a check. Threads share it.
pub trait LiveTransport: Sync {
    /// Sends a request. `body` is the JSON that is posted; without any, it is a GET. `etag` is the value of the header
    /// field `If-None-Match`, if it is sent.
    ///
    /// # Errors
    /// The reason for which there is no response.
    fn send(
        &self,
        url: &Url,
        body: Option<&str>,
        etag: Option<&str>,
    ) -> Result<LiveResponse, Unanswered>;

    /// Sends the message of a subscription on a connection of its own. `cursor` is the value of the header field
    /// `Last-Event-ID`, if it is sent. By default, this returns `None`: nothing carries subscriptions.
    fn subscribe(
        &self,
        message: &str,
        cursor: Option<&str>,
    ) -> Option<Result<LiveSubscribed, Unanswered>> {
        let _ = (message, cursor);
        None
    }
}

/// The response to the message of a subscription.
pub enum LiveSubscribed {
    /// The messages of the service, the first of which should be the answer.
    Stream(Box<dyn LiveStream>),
    /// An ordinary response.
    Refused(LiveResponse),
}

/// The messages that a service sends on a connection.
pub trait LiveStream {
    /// Waits for the next message, but no longer than this.
    fn next(&mut self, limit: Duration) -> LiveStep;

    /// Sends a message. Returns false if the connection carries none, as a stream of events.
    fn send(&mut self, message: &str) -> bool;
}

/// The next thing that happens on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveStep {
    /// A message.
    Message {
        /// The text of the message.
        text: String,
        /// The id of its event, if it is one.
        event_id: Option<String>,
    },
    /// No message came in time.
    Silence,
    /// No message will come any more, for this reason.
    Closed(String),
}
