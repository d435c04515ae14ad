//! A WebSocket with a subscription, read as it comes.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_websockets::{ClientBuilder, Message, WebSocketStream};

use super::connection::{NoEvents, respond};
use crate::http::{Trouble, request};

/// The fields of the request for a WebSocket. Its key is the example of RFC 6455, section 1.3.
const HANDSHAKE: [(&str, &str); 4] = [
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

/// A WebSocket. Dropping it breaks the connection.
pub(super) struct Socket {
    /// The runtime of the stream, which runs only while a message is sent or read.
    runtime: Runtime,
    stream: WebSocketStream<TcpStream>,
}

impl Socket {
    /// Connects, and sends a message.
    pub(super) fn open(place: SocketAddr, message: String) -> Result<Self, NoEvents> {
        let handshake = request("GET", "/rpc", &HANDSHAKE, None);
        let connection = respond(place, &handshake, |response| response.status == 101)?;
        connection.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let stream = {
            let _runtime = runtime.enter();
            ClientBuilder::new().take_over(TcpStream::from_std(connection)?)
        };
        let mut socket = Self { runtime, stream };
        let sent = socket.stream.send(Message::text(message));
        socket.runtime.block_on(sent).map_err(trouble)?;
        Ok(socket)
    }

    /// Returns the next message, or `None` if none has come for this time.
    pub(super) fn next(&mut self, time: Duration) -> Result<Option<String>, Trouble> {
        let next = async { timeout(time, self.stream.next()).await };
        let Ok(message) = self.runtime.block_on(next) else {
            return Ok(None);
        };
        let message = message.ok_or_else(closed)?.map_err(trouble)?;
        if message.is_close() {
            return Err(closed());
        }
        match message.as_text() {
            Some(text) => Ok(Some(text.to_owned())),
            // A ping, which the stream has answered.
            None => Ok(None),
        }
    }
}

fn closed() -> Trouble {
    io::Error::from(io::ErrorKind::UnexpectedEof).into()
}

fn trouble(error: tokio_websockets::Error) -> Trouble {
    match error {
        tokio_websockets::Error::Io(error) => error.into(),
        error => Trouble::Garbled(error.to_string()),
    }
}
