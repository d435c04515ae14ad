//! The interface between a client and the transport that carries its requests.
//!
//! A transport knows nothing of JSON-RPC: it takes the body of a request and returns that of the response, with what the
//! carrier says beside it. [`Http`](crate::Http) is the one of this crate, and a batch is another.

use std::time::Duration;

use bytes::Bytes;
use docent_core::BoxFuture;
use futures_util::stream::BoxStream;

use crate::events::Event;

/// Carries the requests of a [`Client`](crate::Client) to a service.
///
/// [`Http`](crate::Http) is a transport. Implement this for others, such as a message queue, or around
/// another one, to log calls:
///
/// ```
/// use docent::BoxFuture;
/// use docent::client::{Client, Http, Received, Transport, TransportError};
///
/// struct Logging<T>(T);
///
/// impl<T: Transport> Transport for Logging<T> {
///     fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
///         println!("{}", String::from_utf8_lossy(&request));
///         self.0.send(request)
///     }
/// }
///
/// let client = Client::new(Logging(Http::new("http://localhost:8080/rpc")));
/// # let _ = client;
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Sends the body of a request and returns the body of the response.
    ///
    /// # Errors
    /// No complete response has arrived.
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>>;

    /// Calls an idempotent procedure with GET. `params` is JSON. By default, this returns `None`, and
    /// the call is sent with [`send`](Self::send).
    fn get(
        &self,
        procedure: &str,
        params: &str,
    ) -> Option<BoxFuture<Result<Received, TransportError>>> {
        let _ = (procedure, params);
        None
    }

    /// Sends the body of a request for a subscription. The cursor is that of the last item that has arrived, if the
    /// subscription is resumed. By default, this returns `None`: the transport carries no subscriptions.
    fn subscribe(
        &self,
        request: Vec<u8>,
        cursor: Option<&str>,
    ) -> Option<BoxFuture<Result<Subscribed, TransportError>>> {
        let _ = (request, cursor);
        None
    }
}

/// The response to the request for a subscription.
#[non_exhaustive]
pub enum Subscribed {
    /// The subscription, whose first event is the response to its call.
    Events(EventBody),
    /// A response without a subscription.
    Refused(Received),
}

/// The events of a subscription. An error says that they have been interrupted.
pub type EventBody = BoxStream<'static, Result<Event, TransportError>>;

/// The body of a response, and what the transport knows about it. The latter matters only if the body is not a
/// JSON-RPC response: it then becomes part of the [error](crate::MalformedResponse).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Received {
    /// The body.
    pub body: Bytes,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The media type of the body.
    pub media_type: Option<String>,
    /// The address that the response redirects to.
    pub location: Option<String>,
    /// The origin that has answered.
    pub origin: Option<String>,
    /// The time to wait before another request.
    pub retry_after: Option<Duration>,
}

impl Received {
    /// Creates a response from its body.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }
}

/// The reason why no complete response arrived.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The client is not set up to send requests: its URL or a header field is invalid.
    #[error("{0}")]
    Setup(String),
    /// No connection could be made, so nothing has been sent.
    #[error("cannot connect: {0}")]
    Connect(String),
    /// No complete response arrived within this time. The call may have run.
    #[error("timed out after {0:?}")]
    TimedOut(Duration),
    /// The connection broke. The call may have run.
    #[error("the connection broke: {0}")]
    Interrupted(String),
    /// The response is larger than this many bytes. The call has run.
    #[error("it is larger than {0} bytes")]
    TooLarge(usize),
}
