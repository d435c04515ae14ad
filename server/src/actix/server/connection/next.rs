//! The use of a connection after an exchange.

use docent_http::ConnectionState;
#[cfg(feature = "websocket")]
use docent_http::WebSocket;

use super::sending::ResponseStream;

/// The use of a connection after an exchange.
pub(super) enum Next {
    /// It goes on, or closes.
    Http(ConnectionState),
    /// A response follows that goes on. It is sent when all else of its exchange is dropped, which takes some KiB.
    Stream(Box<ResponseStream>),
    /// It is a WebSocket.
    #[cfg(feature = "websocket")]
    WebSocket(Box<WebSocket>),
}
