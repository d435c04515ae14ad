//! A WebSocket whose frames are seen as they come.
//!
//! The client of `docent call` gives each message to the one who waits for it, and drops the others. A check has to see
//! what should not have been sent.

use std::time::Duration;

use docent_client::{Handshake, Http, Socket, open_websocket};
use docent_tools::check::{Rule, Unanswered};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_websockets::Message;
use url::Url;

use super::received::{response, unanswered};
use super::response::HttpResponse;

/// A connection. It runs only while something is waited for.
pub(crate) struct RawSocket {
    runtime: Runtime,
    socket: Socket,
}

/// The outcome of a handshake.
pub(crate) enum OpenedSocket {
    Accepted(RawSocket),
    /// The response of a service that does not accept it.
    Refused(HttpResponse),
}

impl RawSocket {
    /// Makes a connection to a URL, with the settings of a client.
    pub(super) fn open(http: &Http, url: &Url) -> Result<OpenedSocket, Unanswered> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| Unanswered::new(Rule::Unreachable, error.to_string()))?;
        match runtime.block_on(open_websocket(http)) {
            Ok(Handshake::Accepted(socket)) => Ok(OpenedSocket::Accepted(Self { runtime, socket })),
            Ok(Handshake::Refused(received)) => Ok(OpenedSocket::Refused(response(received, url))),
            Err(error) => Err(unanswered(&error)),
        }
    }

    /// Sends a message. Whether the service takes it shows when its answer is waited for.
    pub(crate) fn send(&mut self, message: Message) {
        let _ = self.runtime.block_on(self.socket.send(message));
    }

    /// Waits for the next message, but no longer than this; `None` if none came. An error is the reason for which there
    /// will be none.
    pub(crate) fn next(&mut self, limit: Duration) -> Result<Option<Message>, String> {
        let received = self
            .runtime
            .block_on(async { timeout(limit, self.socket.next()).await });
        match received {
            Err(_) => Ok(None),
            Ok(Some(Ok(message))) => Ok(Some(message)),
            Ok(Some(Err(error))) => Err(error.to_string()),
            Ok(None) => Err("the service has closed the connection".to_owned()),
        }
    }
}
