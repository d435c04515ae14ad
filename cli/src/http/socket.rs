//! Calls over WebSockets, at `ws://` and `wss://`, with the transport of `docent-client`.
//!
//! To the rest of the program, messages on a connection are responses over HTTP, and the items of a subscription are
//! the events of a stream.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use docent_client::{Http, Transport as _, WebSocket};
use docent_tools::check::{Rule, Unanswered};
use docent_tools::request::bare;
use reqwest::Client;
use reqwest::header::HeaderMap;
use tokio::runtime::{Builder, Runtime};
use url::Url;

use super::events::{EventStream, Subscribed};
use super::fields::LAST_EVENT_ID;
use super::raw_socket::{OpenedSocket, RawSocket};
use super::received::{response, unanswered};
use super::response::HttpResponse;
use super::socket_events::SocketEvents;
use crate::files::MAX_BYTES;

/// The connection to a service, which is made for its first message.
#[derive(Clone)]
pub(crate) struct SocketService {
    http: Client,
    connection: Arc<OnceLock<Connection>>,
}

struct Connection {
    /// It runs only while something is waited for.
    runtime: Arc<Runtime>,
    transport: WebSocket,
}

/// The URL and the header fields of a handshake, and the time limit of each message with its answer.
pub(super) struct SocketUser<'u> {
    pub(super) url: &'u Url,
    pub(super) headers: &'u HeaderMap,
    pub(super) limit: Option<Duration>,
}

impl SocketService {
    pub(super) fn new(http: Client) -> Self {
        Self {
            http,
            connection: Arc::default(),
        }
    }

    /// Returns a service without a connection, for other header fields.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.http.clone())
    }

    /// Sends a message, and returns its answer. It is empty with status 204 if there is none.
    pub(super) fn send(
        &self,
        user: &SocketUser<'_>,
        message: &str,
    ) -> Result<HttpResponse, Unanswered> {
        let connection = self.connection(user)?;
        let sent = connection.transport.send(message.into());
        let received = connection
            .runtime
            .block_on(sent)
            .map_err(|error| unanswered(&error))?;
        Ok(response(received, user.url))
    }

    /// Sends the call of a subscription, which resumes after the cursor in the header fields.
    pub(super) fn subscribe(
        &self,
        user: &SocketUser<'_>,
        message: &str,
        headers: &HeaderMap,
    ) -> Result<Subscribed, Unanswered> {
        let cursor = headers.get(LAST_EVENT_ID);
        let cursor = cursor.and_then(|cursor| str::from_utf8(cursor.as_bytes()).ok());
        let Connection { runtime, transport } = self.connection(user)?;
        let Some(subscribed) = transport.subscribe(message.into(), cursor) else {
            let reason = "this transport carries no subscriptions";
            return Err(Unanswered::new(Rule::BadResponse, reason));
        };
        match runtime
            .block_on(subscribed)
            .map_err(|error| unanswered(&error))?
        {
            docent_client::Subscribed::Events(events) => {
                let events = SocketEvents::new(Arc::clone(runtime), events);
                Ok(Subscribed::Events(EventStream::Socket(events)))
            }
            docent_client::Subscribed::Refused(received) => {
                Ok(Subscribed::Refused(response(received, user.url)))
            }
            _ => Err(Unanswered::new(
                Rule::BadResponse,
                "an unknown kind of answer",
            )),
        }
    }

    fn connection(&self, user: &SocketUser<'_>) -> Result<&Connection, Unanswered> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection);
        }
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| Unanswered::new(Rule::Unreachable, error.to_string()))?;
        Ok(self.connection.get_or_init(|| Connection {
            runtime: Arc::new(runtime),
            transport: WebSocket::new(self.settings(user)),
        }))
    }

    /// Makes a connection of its own, whose frames are not sorted.
    pub(super) fn open(&self, user: &SocketUser<'_>) -> Result<OpenedSocket, Unanswered> {
        RawSocket::open(&self.settings(user), user.url)
    }

    /// Returns the settings of the handshake.
    fn settings(&self, user: &SocketUser<'_>) -> Http {
        let mut http = Http::new(bare(user.url))
            .with_client(self.http.clone())
            .timeout(user.limit.unwrap_or(Duration::MAX))
            .max_response_bytes(usize::try_from(MAX_BYTES).unwrap_or(usize::MAX));
        for (name, value) in user.headers {
            http = http.header(name.as_str(), &String::from_utf8_lossy(value.as_bytes()));
        }
        http
    }
}
