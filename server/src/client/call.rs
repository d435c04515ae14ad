//! Calls.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use docent_core::__private::Finite;
use docent_core::{BoxFuture, Service};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use super::error::{ClientError, TransportError};
use super::from_fault::FromFault;
use super::http::Http;
use super::in_process::InProcess;
use super::response::read;
use super::transport::{Received, Transport};

/// Calls the procedures of a service. Clones share their connections.
///
/// A typed client is made from it: `Library::client(…)` takes a URL, an [`Http`], an [`InProcess`]
/// or a `Client`.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    transport: Box<dyn Transport>,
    /// The ID of the next request.
    next: AtomicU64,
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Box<RawValue>>,
    id: u64,
}

impl Client {
    /// Creates a client with a transport of your own.
    pub fn new(transport: impl Transport) -> Self {
        Self(Arc::new(Inner {
            transport: Box::new(transport),
            next: AtomicU64::new(1),
        }))
    }

    /// Creates a client of a server, with the defaults of [`Http`].
    pub fn http(url: impl Into<String>) -> Self {
        Http::new(url).into()
    }

    /// Creates a client of a service in this process.
    pub fn in_process(service: &Service) -> Self {
        InProcess::new(service).into()
    }

    /// Calls a procedure by its name. `params` may be anything that serialises to an object, an array
    /// or null.
    ///
    /// Procedures with [attributes](crate::procedures) have a typed client, which calls this.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn call<R, E>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<R, E>
    where
        R: DeserializeOwned,
        E: for<'fault> FromFault<'fault>,
    {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let sent = body(procedure, params, id).map(|body| self.0.transport.send(body));
        ResponseFuture {
            id,
            sent: Some(sent),
            outcome: PhantomData,
        }
    }
}

/// The future of a call, which does not hold its parameters.
#[must_use = "a call is not made until its future is awaited"]
pub struct ResponseFuture<R, E> {
    id: u64,
    /// `None` once there is an outcome.
    sent: Option<Result<BoxFuture<Result<Received, TransportError>>, serde_json::Error>>,
    outcome: PhantomData<fn() -> (R, E)>,
}

impl<R, E> Future for ResponseFuture<R, E>
where
    R: DeserializeOwned,
    E: for<'fault> FromFault<'fault>,
{
    type Output = Result<R, ClientError<E>>;

    /// # Panics
    /// The call has ended.
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let outcome = match self.sent.take() {
            Some(Ok(mut sent)) => match sent.as_mut().poll(context) {
                Poll::Ready(Ok(received)) => read(received, self.id),
                Poll::Ready(Err(error)) => Err(ClientError::Transport(error)),
                Poll::Pending => {
                    self.sent = Some(Ok(sent));
                    return Poll::Pending;
                }
            },
            Some(Err(error)) => Err(ClientError::Params(error)),
            None => panic!("the future of a call was polled after its end"),
        };
        Poll::Ready(outcome)
    }
}

impl<R, E> fmt::Debug for ResponseFuture<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ResponseFuture");
        shown.field("id", &self.id).finish_non_exhaustive()
    }
}

/// The body of a request. The parameters are written before anything is sent, so the future of a call
/// does not hold them.
fn body(
    procedure: &str,
    params: &(impl Serialize + ?Sized),
    id: u64,
) -> Result<Vec<u8>, serde_json::Error> {
    let params = to_raw_value(&Finite(params))?;
    serde_json::to_vec(&Request {
        jsonrpc: "2.0",
        method: procedure,
        params: Some(params).filter(|params| params.get() != "null"),
        id,
    })
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl From<&str> for Client {
    fn from(url: &str) -> Self {
        Self::http(url)
    }
}

impl From<String> for Client {
    fn from(url: String) -> Self {
        Self::http(url)
    }
}

impl From<&String> for Client {
    fn from(url: &String) -> Self {
        Self::http(url)
    }
}

impl From<Http> for Client {
    fn from(http: Http) -> Self {
        Self::new(http)
    }
}

impl From<InProcess> for Client {
    fn from(in_process: InProcess) -> Self {
        Self::new(in_process)
    }
}

impl From<&Client> for Client {
    fn from(client: &Client) -> Self {
        client.clone()
    }
}
