//! WebSockets (RFC 6455): connections that carry messages both ways, each in one text frame.
//!
//! ```text
//! GET /rpc                               HTTP/1.1 101 Switching Protocols
//! Connection: Upgrade                    Upgrade: websocket
//! Upgrade: websocket                     Sec-WebSocket-Accept: …
//! Sec-WebSocket-Version: 13
//! Sec-WebSocket-Key: …
//! ```
//!
//! [`handshake`] decides about such a request: its page, its version, its subprotocols and its credentials, and whether
//! there is room for another stream. The response to one that is accepted has a [`WebSocket`] in place of a body. Once
//! the host has written its head, it hands over the stream, with the bytes that it has read from it, to
//! [`WebSocket::run`]:
//!
//! - [`socket`] frames messages, with the crate tokio-websockets, on a [`wire`] that counts bytes in both directions, and those of a
//!   message that has arrived in part ([`incomplete`]);
//! - [`carrier`] takes them to a [`Connection`] and sends what that hands over;
//! - [`clocks`] are the limits of time, because those of HTTP end with the head.
//!
//! Bytes wait in one place, the queue of the socket, and all of them are counted there. While it is full, no message is
//! taken and no item is produced. What a message takes while it arrives, and a large answer while it waits, is room that
//! all callers share ([`traffic`](crate::traffic)).

mod carrier;
mod clocks;
pub(crate) mod handshake;
mod incomplete;
mod socket;
#[cfg(test)]
mod tests;
mod wire;

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use docent_core::carrier::{Connection, Permit};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::endpoint::Endpoint;
use crate::traffic::Exchange;
use carrier::WebSocketCarrier;

/// A WebSocket whose handshake was accepted, in place of the body of a response.
#[cfg(feature = "websocket")]
pub struct WebSocket {
    /// Locked by no one: responses are shared between threads, and connections cannot be.
    connection: Mutex<Connection>,
    endpoint: Endpoint,
    /// A shutdown waits for the connection, which ends by itself when it begins.
    exchange: Exchange,
    permit: Permit,
}

impl WebSocket {
    /// Serves the connection until one side ends it. `arrived` is what the host has read from the stream behind the
    /// request. The head of the response must have been written.
    pub async fn run<S>(self, stream: S, arrived: Bytes)
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let Self {
            connection,
            endpoint,
            exchange: _exchange,
            permit: _permit,
        } = self;
        let connection = connection
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let carrier = WebSocketCarrier::new(connection, endpoint, stream, arrived);
        carrier.run().await;
    }
}

impl fmt::Debug for WebSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebSocket")
            .field("connection", &self.connection)
            .finish_non_exhaustive()
    }
}
