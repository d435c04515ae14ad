//! Calls.

use std::fmt;
use std::future::ready;
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

use super::batch::{self, Queue};
use super::error::{ClientError, TransportError};
use super::from_fault::FromFault;
use super::http::Http;
use super::in_process::InProcess;
use super::response::{Asked, read};
use super::transport::{Received, Transport};

/// Calls the procedures of a service. Clones share their connections.
///
/// Typed clients are built on it: `Library::client(…)` takes a URL, an [`Http`], an [`InProcess`] or a
/// `Client`.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    transport: Arc<dyn Transport>,
    /// The ID of the next request.
    next: AtomicU64,
    is_notifying: bool,
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
}

impl Client {
    /// Creates a client with a transport of your own.
    pub fn new(transport: impl Transport) -> Self {
        Self::with(Arc::new(transport), false)
    }

    fn with(transport: Arc<dyn Transport>, is_notifying: bool) -> Self {
        Self(Arc::new(Inner {
            transport,
            next: AtomicU64::new(1),
            is_notifying,
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
        ResponseFuture::new(self.prepare::<R>(procedure, params, false))
    }

    /// Calls a procedure like [`call`](Self::call), but with GET if the transport is set up to
    /// ([`Http::use_get`]) and the parameters can be in a URL. The procedure has to be idempotent.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn call_idempotent<R, E>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<R, E>
    where
        R: DeserializeOwned,
        E: for<'fault> FromFault<'fault>,
    {
        ResponseFuture::new(self.prepare::<R>(procedure, params, true))
    }

    /// Returns a client that sends notifications: calls without a response. They return once the
    /// service has accepted them, with `Ok` even if they fail in the service. Only procedures that
    /// return `()` can be called; any other fails with [`TransportError::Setup`].
    ///
    /// ```
    /// use docent_server::client::Client;
    /// use docent_server::{Fault, Service, procedure};
    ///
    /// /// Counts a visit of a page.
    /// #[procedure(notification)]
    /// fn visited(page: String) -> Result<(), Fault> {
    ///     println!("{page}");
    ///     Ok(())
    /// }
    ///
    /// # #[actix_web::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("statistics", "urn:uuid:41544946-415a-495a-5645-454441534704")
    ///     .procedure(visited::procedure())
    ///     .build()?;
    /// let client = Client::in_process(&service);
    /// visited::call(&client.notifying(), "/loans").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn notifying(&self) -> Self {
        Self::with(Arc::clone(&self.0.transport), true)
    }

    /// Sends several calls in few requests: calls that wait at the same time are sent together, as a
    /// batch. `calls` gets a client for them, typed or not, and each call has its own outcome.
    ///
    /// Calls that are made later, for example with the results of earlier ones, go into the next
    /// batch. The client works until the future that `calls` returns has ended. By default, a service
    /// accepts at most 1,000 calls in a batch, and refuses larger batches whole.
    ///
    /// ```
    /// use docent_server::client::Client;
    /// use docent_server::{Fault, Service, procedures};
    ///
    /// struct Calculator;
    ///
    /// #[procedures]
    /// impl Calculator {
    ///     #[procedure(idempotent)]
    ///     fn sum(&self, a: i64, b: i64) -> Result<i64, Fault> {
    ///         Ok(a + b)
    ///     }
    /// }
    ///
    /// # #[actix_web::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("calculator", "urn:uuid:41544946-415a-495a-5645-454441534705")
    ///     .procedures(Calculator.procedures())
    ///     .build()?;
    /// let client = Client::in_process(&service);
    /// let (three, seven) = client
    ///     .batch(async |calculator: CalculatorClient| {
    ///         tokio::join!(calculator.sum(1, 2), calculator.sum(3, 4))
    ///     })
    ///     .await;
    /// assert_eq!((three?, seven?), (3, 7));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn batch<C: From<Self>, F: Future>(&self, calls: impl FnOnce(C) -> F) -> F::Output {
        let queue = Queue::new();
        let client = Self::with(Arc::new(queue.clone()), self.0.is_notifying);
        batch::run(&self.0.transport, &queue, calls(client.into())).await
    }

    /// Prepares a request and the check of its response. The parameters are serialised before anything
    /// is sent, so the future of a call does not hold them.
    fn prepare<R: DeserializeOwned>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
        is_idempotent: bool,
    ) -> (Asked, Result<Sent, serde_json::Error>) {
        let Inner {
            transport,
            next,
            is_notifying,
        } = &*self.0;
        if *is_notifying && serde_json::from_str::<R>("null").is_err() {
            let reason = "a notification has no result, but this procedure returns one";
            let error = TransportError::Setup(reason.to_owned());
            return (Asked::Nothing, Ok(Box::pin(ready(Err(error)))));
        }
        let params = match to_raw_value(&Finite(params)) {
            Ok(params) => params,
            Err(error) => return (Asked::Null, Err(error)),
        };
        if is_idempotent
            && !is_notifying
            && let Some(sent) = transport.get(procedure, params.get())
        {
            return (Asked::Null, Ok(sent));
        }
        let id = (!is_notifying).then(|| next.fetch_add(1, Ordering::Relaxed));
        let body = serde_json::to_vec(&Request {
            jsonrpc: "2.0",
            method: procedure,
            params: Some(params).filter(|params| params.get() != "null"),
            id,
        });
        let sent = body.map(|body| transport.send(body));
        (id.map_or(Asked::Nothing, Asked::Id), sent)
    }
}

type Sent = BoxFuture<Result<Received, TransportError>>;

/// The future of a call, which does not hold its parameters.
#[must_use = "a call is not made until its future is awaited"]
pub struct ResponseFuture<R, E> {
    asked: Asked,
    /// The response that is awaited; `None` once there is an outcome.
    sent: Option<Result<Sent, serde_json::Error>>,
    outcome: PhantomData<fn() -> (R, E)>,
}

impl<R, E> ResponseFuture<R, E> {
    fn new((asked, sent): (Asked, Result<Sent, serde_json::Error>)) -> Self {
        Self {
            asked,
            sent: Some(sent),
            outcome: PhantomData,
        }
    }
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
                Poll::Ready(Ok(received)) => read(received, self.asked),
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
        shown.field("asked", &self.asked).finish_non_exhaustive()
    }
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
