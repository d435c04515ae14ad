//! A connection that brings messages of a subscription, over SSE or over a WebSocket.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::event_stream::EventStream;
use super::socket::Socket;
use crate::ANSWER_TIMEOUT;
use crate::http::{Response, Trouble, excerpt};

/// The time for which a reader waits for the next message before it looks up.
const READ_TIMEOUT: Duration = Duration::from_millis(100);

/// A connection. Dropping it hangs up.
pub(super) enum Connection {
    Events(EventStream),
    Socket(Box<Socket>),
}

/// The reason for which there is no connection.
pub(super) enum NoEvents {
    Trouble(Trouble),
    /// The response is another, with this status and body.
    Refused(u16, String),
}

impl<E: Into<Trouble>> From<E> for NoEvents {
    fn from(error: E) -> Self {
        Self::Trouble(error.into())
    }
}

impl Connection {
    /// Returns the next message, or `None` if none has come for a moment.
    pub(super) fn next(&mut self) -> Result<Option<Value>, Trouble> {
        let text = match self {
            Self::Socket(socket) => socket.next(READ_TIMEOUT)?,
            Self::Events(events) => {
                let Some(event) = events.next()? else {
                    return Ok(None);
                };
                let message = parse(&event.data)?;
                let cursor = message["params"]["cursor"].as_str();
                if cursor.is_some() && cursor != event.id.as_deref() {
                    return Err(Trouble::Garbled(format!("{event:?} has another cursor")));
                }
                return Ok(Some(message));
            }
        };
        text.map(|text| parse(&text)).transpose()
    }
}

fn parse(text: &str) -> Result<Value, Trouble> {
    serde_json::from_str(text).map_err(|_| Trouble::Garbled(format!("a message {text:?}")))
}

/// Sends a request that begins a stream, and reads the head of its response. Returns the connection if it is the right
/// one.
pub(super) fn respond(
    place: SocketAddr,
    request: &[u8],
    is_right: impl Fn(&Response) -> bool,
) -> Result<TcpStream, NoEvents> {
    let mut connection = TcpStream::connect_timeout(&place, ANSWER_TIMEOUT)?;
    connection.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    connection.write_all(request)?;
    let head = Response::try_read(&mut connection, true)?;
    if !is_right(&head) {
        let length = head.header("content-length");
        let length = length.and_then(|digits| digits.parse().ok());
        let mut body = Vec::new();
        connection
            .take(length.unwrap_or(u64::MAX))
            .read_to_end(&mut body)?;
        return Err(NoEvents::Refused(head.status, excerpt(&body)));
    }
    connection.set_read_timeout(Some(READ_TIMEOUT))?;
    Ok(connection)
}
