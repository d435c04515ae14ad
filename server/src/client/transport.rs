//! The interface between a client and the transport that carries its requests.

use std::time::Duration;

use bytes::Bytes;
use docent_core::BoxFuture;

use super::error::TransportError;

/// Carries the requests of a [`Client`](super::Client) to a service.
///
/// [`Http`](super::Http) and [`InProcess`](super::InProcess) are transports. Implement this for
/// others, such as a message queue, or around one of them, to log calls or to repeat them:
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use docent_server::client::{Client, InProcess, Received, Transport, TransportError};
/// use docent_server::{BoxFuture, Cx, Fault, Procedure, Service};
///
/// struct Counting<T>(T, Arc<AtomicUsize>);
///
/// impl<T: Transport> Transport for Counting<T> {
///     fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         self.0.send(request)
///     }
/// }
///
/// # #[actix_web::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534702")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let calls = Arc::new(AtomicUsize::new(0));
/// let client = Client::new(Counting(InProcess::new(&service), Arc::clone(&calls)));
/// let greeting: String = client.call::<_, Fault>("hello", &()).await?;
/// assert_eq!((&*greeting, calls.load(Ordering::Relaxed)), ("hello", 1));
/// # Ok(())
/// # }
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
}

/// The body of a response, with everything that the transport knows about it. This matters only if the
/// body is not a JSON-RPC response: it then becomes part of the [error](super::MalformedResponse).
#[derive(Debug, Clone, Default)]
pub struct Received {
    pub(super) body: Bytes,
    pub(super) status: Option<u16>,
    pub(super) media_type: Option<String>,
    pub(super) location: Option<String>,
    /// The origin that has answered.
    pub(super) origin: Option<String>,
    pub(super) retry_after: Option<Duration>,
}

impl Received {
    /// Creates a response from its body.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }

    /// Sets the HTTP status.
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the media type of the body.
    pub fn media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    /// Sets the address that the response redirects to.
    pub fn location(mut self, location: impl Into<String>) -> Self {
        self.location = Some(location.into());
        self
    }

    /// Sets how long to wait before another request.
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }
}
