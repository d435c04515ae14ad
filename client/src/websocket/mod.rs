//! The transport over a WebSocket: calls and subscriptions share one connection.
//!
//! ```text
//! Client ── send, subscribe ──► WebSocket ── commands ──► ConnectionTask ──► socket
//!                                   └── responses, events ────┘
//! ```
//!
//! - [`handshake`] makes a connection, with the settings of an [`Http`];
//! - [`connection`] is the task that owns it: it writes requests, and hands each response to its call and each item to its
//!   subscription;
//! - [`resume`] puts a cursor into the parameters of a subscription, because a WebSocket has no `Last-Event-ID`.
//!
//! There is no locking around the socket, and a caller that reads slowly holds up no other: items wait in a queue for each
//! subscription, and a full one ends its subscription alone.

mod connection;
mod handshake;
mod resume;

use std::fmt;
use std::sync::Arc;

use docent_core::BoxFuture;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;

use crate::http::Http;
use crate::transport::{Received, Subscribed, Transport, TransportError};
use connection::{ConnectionCommand, ConnectionTask, OutgoingRequest, ResponseSender};
pub use handshake::{Handshake, Socket, open, websocket_accept};

/// Calls a server over a WebSocket, which all calls and subscriptions share.
///
/// A [`Client`](crate::Client) is one of this transport if its URL begins with `ws:` or `wss:`. The settings are those of
/// [`Http`]: the handshake carries the token and the header fields, the timeout holds for each call (and for the answer to
/// a subscription), and a message has at most the bytes of the largest response. It needs a Tokio runtime.
///
/// ```
/// use docent::client::{Client, Http, WebSocket};
///
/// let client = Client::http("ws://localhost:8080/rpc");
/// // The same, with a token:
/// let http = Http::new("ws://localhost:8080/rpc").bearer("u7Qz.2fK~9");
/// let client = Client::new(WebSocket::new(http));
/// # let _ = client;
/// ```
///
/// # Lost connections
///
/// The connection is made for the first call. It is lost if either side closes it, if the service sends what is no message
/// of JSON-RPC or one that is too large, or if no message has come for 60 s, although the client sends a ping every 20 s.
/// Then:
///
/// - Calls without an answer fail with [`TransportError::Interrupted`], since they may have run. Those that are safe to
///   repeat are, as over HTTP ([`Client::repeats`](crate::Client::repeats)).
/// - The next call makes a new connection, with a token that is asked for anew
///   ([`Http::bearer_from`]).
/// - Subscriptions whose items have cursors resume on a new connection after the last item that was read, as
///   [`Client::subscribe`](crate::Client::subscribe) says. They ask the service once for its description, to learn which
///   parameter takes the cursor. For all others, the loss is the last item.
///
/// A subscription that is not read for 1,024 items is treated as if its connection were lost. Calls and other
/// subscriptions on the connection are not affected.
pub struct WebSocket(Arc<Shared>);

struct Shared {
    http: Http,
    /// The sender of commands to the last connection. It is closed if the connection is lost. Locked while a connection is
    /// made, so that calls that begin together share it.
    connection: Mutex<Option<CommandSender>>,
}

type CommandSender = mpsc::UnboundedSender<ConnectionCommand>;

/// The outcome of connecting.
enum ConnectOutcome {
    Connected(CommandSender),
    /// The service has refused the handshake with this response.
    Refused(Received),
}

impl WebSocket {
    /// Creates a transport to a service, such as `ws://localhost:8080/rpc`. `http:` and `https:` mean the same here as `ws:`
    /// and `wss:`.
    pub fn new(http: impl Into<Http>) -> Self {
        Self(Arc::new(Shared {
            http: http.into(),
            connection: Mutex::new(None),
        }))
    }
}

impl Shared {
    /// Returns the sender of commands to the connection, which is made if there is none.
    async fn connect(&self) -> Result<ConnectOutcome, TransportError> {
        let mut connection = self.connection.lock().await;
        if let Some(commands) = &*connection
            && !commands.is_closed()
        {
            return Ok(ConnectOutcome::Connected(commands.clone()));
        }
        let socket = match open(&self.http).await? {
            Handshake::Accepted(socket) => socket,
            Handshake::Refused(received) => return Ok(ConnectOutcome::Refused(received)),
        };
        let (commands, received) = mpsc::unbounded_channel();
        let task = ConnectionTask::new(socket, received, commands.downgrade());
        tokio::spawn(task.run());
        *connection = Some(commands.clone());
        Ok(ConnectOutcome::Connected(commands))
    }

    async fn send(&self, body: Vec<u8>) -> Result<Received, TransportError> {
        match self.connect().await? {
            ConnectOutcome::Connected(commands) => call(&commands, body).await,
            ConnectOutcome::Refused(received) => Ok(received),
        }
    }

    async fn subscribe(
        &self,
        mut body: Vec<u8>,
        cursor: Option<String>,
    ) -> Result<Subscribed, TransportError> {
        let commands = match self.connect().await? {
            ConnectOutcome::Connected(commands) => commands,
            ConnectOutcome::Refused(received) => return Ok(Subscribed::Refused(received)),
        };
        if let Some(cursor) = cursor {
            let described = call(&commands, resume::describe_call(&body)).await?;
            if resume::is_error(&described.body) {
                return Ok(Subscribed::Refused(described));
            }
            body = resume::with_cursor(&body, &described.body, &cursor).ok_or_else(|| {
                let reason =
                    "the description of the service names no parameter that takes the cursor";
                TransportError::Setup(reason.to_owned())
            })?;
        }
        let (sender, response) = oneshot::channel();
        let request = OutgoingRequest::new(body, ResponseSender::Subscriber(sender));
        exchange(&commands, request, response).await
    }
}

/// Sends the body of a request, and returns its response.
async fn call(commands: &CommandSender, body: Vec<u8>) -> Result<Received, TransportError> {
    let (sender, response) = oneshot::channel();
    let request = OutgoingRequest::new(body, ResponseSender::Call(sender));
    exchange(commands, request, response).await
}

/// Sends a request, and waits for its response.
async fn exchange<T>(
    commands: &CommandSender,
    request: OutgoingRequest,
    response: oneshot::Receiver<Result<T, TransportError>>,
) -> Result<T, TransportError> {
    if commands.send(ConnectionCommand::Send(request)).is_ok()
        && let Ok(outcome) = response.await
    {
        return outcome;
    }
    // The connection was lost before it took the request, or its runtime is gone.
    let reason = "it was lost before the answer";
    Err(TransportError::Interrupted(reason.to_owned()))
}

impl Transport for WebSocket {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let time = shared.http.timeout;
            let sent = timeout(time, shared.send(request)).await;
            sent.map_err(|_| TransportError::TimedOut(time))?
        })
    }

    fn subscribe(
        &self,
        request: Vec<u8>,
        cursor: Option<&str>,
    ) -> Option<BoxFuture<Result<Subscribed, TransportError>>> {
        let shared = Arc::clone(&self.0);
        let cursor = cursor.map(str::to_owned);
        Some(Box::pin(async move {
            let time = shared.http.timeout;
            let subscribed = timeout(time, shared.subscribe(request, cursor)).await;
            subscribed.map_err(|_| TransportError::TimedOut(time))?
        }))
    }
}

impl fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebSocket").finish_non_exhaustive()
    }
}
