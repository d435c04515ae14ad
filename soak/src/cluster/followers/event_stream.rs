//! A response with events (SSE), read as it comes.
//!
//! It is not read as other responses are, because it has no end, and its reader has to look up from it.

use std::io::{self, Read as _};
use std::net::{SocketAddr, TcpStream};

use super::connection::{NoEvents, respond};
use crate::http::Trouble;

/// A response with events. Dropping it hangs up.
pub(super) struct EventStream {
    connection: TcpStream,
    /// The bytes of chunks that have not come whole.
    chunks: Vec<u8>,
    /// The text of the chunks after the last event that was returned.
    text: Vec<u8>,
}

/// An event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ServerEvent {
    pub(super) id: Option<String>,
    pub(super) data: String,
}

impl EventStream {
    /// Sends a request, which must close the connection, and reads the head of the response.
    pub(super) fn open(place: SocketAddr, request: &[u8]) -> Result<Self, NoEvents> {
        let connection = respond(place, request, |response| {
            response.header("content-type") == Some("text/event-stream")
        })?;
        Ok(Self {
            connection,
            chunks: Vec::new(),
            text: Vec::new(),
        })
    }

    /// Returns the next event, or `None` if none has come for a moment.
    pub(super) fn next(&mut self) -> Result<Option<ServerEvent>, Trouble> {
        loop {
            if let Some(event) = self.take_event() {
                return Ok(Some(event));
            }
            let mut piece = [0; 4_096];
            let length = match self.connection.read(&mut piece).map_err(Trouble::from) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(length) => length,
                Err(Trouble::Late) => return Ok(None),
                Err(trouble) => return Err(trouble),
            };
            self.chunks.extend_from_slice(&piece[..length]);
            self.decode()?;
        }
    }

    /// Moves the text of whole chunks to the text.
    fn decode(&mut self) -> Result<(), Trouble> {
        while let Some(end) = find(&self.chunks, *b"\r\n") {
            let digits = String::from_utf8_lossy(&self.chunks[..end]);
            let size = usize::from_str_radix(&digits, 16)
                .map_err(|_| Trouble::Garbled(format!("a chunk of the size {digits:?}")))?;
            let start = end + 2;
            if self.chunks.len() < start + size + 2 {
                return Ok(());
            }
            self.text
                .extend_from_slice(&self.chunks[start..start + size]);
            self.chunks.drain(..start + size + 2);
        }
        Ok(())
    }

    /// Removes the first whole event with data from the text.
    fn take_event(&mut self) -> Option<ServerEvent> {
        while let Some(end) = find(&self.text, *b"\n\n") {
            let block: Vec<u8> = self.text.drain(..end + 2).collect();
            let block = String::from_utf8_lossy(&block);
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            // Others are comments.
            if let Some(data) = field("data: ") {
                return Some(ServerEvent {
                    id: field("id: ").map(str::to_owned),
                    data: data.to_owned(),
                });
            }
        }
        None
    }
}

/// Returns the place of a separator.
fn find(bytes: &[u8], separator: [u8; 2]) -> Option<usize> {
    bytes.windows(2).position(|window| window == separator)
}
