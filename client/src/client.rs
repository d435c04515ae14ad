//! The client of a service, and its settings.
//!
//! A [`Client`] knows nothing of HTTP: its [`Transport`] carries the messages. It decides what is true for all
//! calls: their ids, keys and repeats, and whether they are sent one by one or in batches. `call.rs` makes the calls.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docent_core::code;

use crate::batch::{self, Queue};
use crate::http::Http;
use crate::transport::Transport;

/// Calls the procedures of a service. Clones share their connections.
///
/// Typed clients are made from a URL, an [`Http`], or a `Client`.
#[derive(Clone)]
pub struct Client {
    pub(crate) transport: Arc<dyn Transport>,
    /// The id of the next request.
    next_id: Arc<AtomicU64>,
    pub(crate) is_notifying: bool,
    pub(crate) key: Option<Arc<str>>,
    /// The maximum number of repeats of a call that has failed.
    pub(crate) max_repeats: u32,
    /// The time for a call with all its repeats.
    pub(crate) timeout: Duration,
    /// The codes of a service that was too busy to run a call, if they are not those of Docent.
    busy_codes: Option<&'static [i64]>,
}

impl Client {
    /// Creates a client with a transport of your own.
    pub fn new(transport: impl Transport) -> Self {
        Self {
            transport: Arc::new(transport),
            next_id: Arc::new(AtomicU64::new(1)),
            is_notifying: false,
            key: None,
            max_repeats: 0,
            timeout: Duration::ZERO,
            busy_codes: None,
        }
    }

    /// Creates a client of a server, with the defaults of [`Http`]. A URL that begins with `ws:` or `wss:` is called over a
    /// WebSocket (feature `websocket`).
    pub fn http(url: impl Into<String>) -> Self {
        Http::new(url).into()
    }

    /// Repeats failed calls, each at most `most` times and within `time` in all. By default, no call is
    /// repeated. This needs a Tokio runtime.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use docent::client::Client;
    ///
    /// let client = Client::http("http://localhost:8080/rpc").repeats(3, Duration::from_secs(10));
    /// # let _ = client;
    /// ```
    ///
    /// A call is repeated only where that is safe:
    ///
    /// - if there was no complete response, or 503 with `Retry-After`, and the procedure is idempotent
    ///   or the call has a key;
    /// - if the service was too busy to run the call;
    /// - if the procedure returned an error that [may be repeated](crate::FromFault::may_be_repeated).
    pub fn repeats(mut self, most: u32, time: Duration) -> Self {
        self.max_repeats = most;
        self.timeout = time;
        self
    }

    /// Sets the codes of errors that mean that the service was too busy to run the call. By default, these are
    /// the codes that services written with Docent use.
    pub fn busy_codes(mut self, codes: &'static [i64]) -> Self {
        self.busy_codes = Some(codes);
        self
    }

    /// Returns whether the service says with this code that it was too busy to run a call.
    pub(crate) fn is_busy_code(&self, code: i64) -> bool {
        match self.busy_codes {
            Some(codes) => codes.contains(&code),
            None => code::find(code).is_some_and(|error| error.retry.helps()),
        }
    }

    /// Returns a client whose calls have this key. If the response to a call was lost, call again with the same
    /// key: a repeatable procedure does not run twice.
    ///
    /// ```no_run
    /// use docent::Fault;
    /// use docent::client::{Client, ClientError};
    ///
    /// # async fn add(client: Client) -> Result<(), ClientError<Fault>> {
    /// let id: u64 = client.with_key("order-17").call::<_, Fault>("order.add", &["whale"]).await?;
    /// # let _ = id;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_key(&self, key: impl Into<Arc<str>>) -> Self {
        Self {
            key: Some(key.into()),
            ..self.clone()
        }
    }

    /// Returns a client that sends notifications: calls without a response. A call returns `Ok` once the
    /// service has accepted it, even if it fails there. Only procedures that return `()` can be called; any
    /// other fails with [`TransportError::Setup`](crate::TransportError::Setup).
    pub fn notifying(&self) -> Self {
        Self {
            is_notifying: true,
            ..self.clone()
        }
    }

    /// Sends several calls in few requests: calls that wait at the same time are sent as one batch. `calls`
    /// gets a client for them, typed or not, and each call has its own outcome.
    ///
    /// Later calls, such as those that need the results of earlier ones, go into the next batch. The client
    /// works until the future that `calls` returns has ended. By default, a service accepts at most 1,000 calls
    /// in a batch, and rejects a larger batch as a whole.
    ///
    /// ```no_run
    /// use docent::Fault;
    /// use docent::client::{Client, ClientError};
    ///
    /// # async fn sums(client: Client) -> Result<(), ClientError<Fault>> {
    /// let (three, seven): (Result<i64, ClientError<Fault>>, Result<i64, ClientError<Fault>>) = client
    ///     .batch(async |client: Client| {
    ///         tokio::join!(client.call("sum", &[1, 2]), client.call("sum", &[3, 4]))
    ///     })
    ///     .await;
    /// assert_eq!((three?, seven?), (3, 7));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn batch<C: From<Self>, F: Future>(&self, calls: impl FnOnce(C) -> F) -> F::Output {
        let (queue, queued) = Queue::new();
        let client = Self {
            transport: Arc::new(queue),
            ..self.clone()
        };
        batch::run(&self.transport, queued, calls(client.into())).await
    }

    pub(crate) fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl<T: Into<Http>> From<T> for Client {
    /// Creates a client of a server: over a WebSocket if the URL begins with `ws:` or `wss:`, and else over HTTP.
    fn from(http: T) -> Self {
        let http = http.into();
        #[cfg(feature = "websocket")]
        if http.is_websocket() {
            return Self::new(crate::websocket::WebSocket::new(http));
        }
        Self::new(http)
    }
}

impl From<&Client> for Client {
    fn from(client: &Client) -> Self {
        client.clone()
    }
}
