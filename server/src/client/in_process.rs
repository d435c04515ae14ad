//! Carries the calls of a typed client to a service in the same process, without a server.
//!
//! Tests use the typed client that callers use, but need no socket. The bytes of each call are the
//! same as over HTTP.

use std::sync::Arc;

use docent_client::{Client, Received, Transport, TransportError};
use docent_core::carrier::Incoming;
use docent_core::{BoxFuture, Extensions, Identity, Service};
use docent_http::Headers;

/// Calls a service in this process, through the same decoding, checks and handlers as over HTTP.
///
/// ```
/// use docent::client::{Client, InProcess};
/// use docent::{Cx, Fault, Peer, Procedure, Service};
///
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534703")
///     .procedure(Procedure::sync("hello", |cx: Cx, (): ()| {
///         let language = cx.field("Accept-Language").next();
///         Ok::<_, Fault>(if language == Some(b"is") { "halló" } else { "hello" })
///     }))
///     .build()?;
/// let client = Client::from(InProcess::new(&service).header("Accept-Language", "is"));
/// let greeting: String = client.call::<_, Fault>("hello", &()).await?;
/// assert_eq!(greeting, "halló");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct InProcess {
    service: Service,
    extensions: Arc<Extensions>,
}

impl InProcess {
    /// Creates a transport to this service.
    pub fn new(service: &Service) -> Self {
        Self {
            service: service.clone(),
            extensions: Arc::default(),
        }
    }

    /// Sets the caller. The service's authenticator for this type then does not run.
    pub fn caller(self, caller: impl Identity) -> Self {
        self.change(|extensions| extensions.set_caller(caller))
    }

    /// Attaches a value to each call, as a transport does. Handlers get it with
    /// [`Cx::extension`](crate::Cx::extension).
    pub fn extension<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.change(|extensions| extensions.insert(value))
    }

    /// Adds a header field to each call. Guards and handlers read it.
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let lower = name.into().to_ascii_lowercase();
        let value = value.into();
        self.change(|extensions| {
            let mut headers = extensions.get::<Headers>().cloned().unwrap_or_default();
            headers.push_lower(&lower, value.as_bytes());
            extensions.insert_fields(headers);
        })
    }

    fn change(mut self, change: impl FnOnce(&mut Extensions)) -> Self {
        // The extensions are shared from the first call on, and calling needs a complete transport.
        if let Some(extensions) = Arc::get_mut(&mut self.extensions) {
            change(extensions);
        }
        self
    }
}

impl Transport for InProcess {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let reply = self
            .service
            .exchange(Incoming::new(request).extensions(Arc::clone(&self.extensions)));
        Box::pin(async move { Ok(Received::new(reply.await.into_body().unwrap_or_default())) })
    }
}

impl From<InProcess> for Client {
    fn from(in_process: InProcess) -> Self {
        Self::new(in_process)
    }
}
