//! Reads event streams: those in which servers of MCP may send a response, and those of subscriptions.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use docent_client::{Event, EventReader};
use docent_describe::json::Json;
use reqwest::blocking::Response;

use super::explain;
use super::response::HttpResponse;
#[cfg(feature = "websocket")]
use super::socket_events::SocketEvents;
use crate::files::MAX_BYTES;

/// The time without a byte after which a stream is taken for lost. A service of Docent sends a comment every 15 s.
pub(super) const MAX_SILENCE: Duration = Duration::from_secs(45);

/// The number of bytes that are read at a time.
const PIECE_BYTES: usize = 16 * 1024;

/// Reads a stream until an event holds a response of JSON-RPC, and returns it. The stream may also have
/// events with notifications, and may stay open.
pub(super) fn response(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let mut reader = EventReader::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        while let Some(event) = reader.next_event() {
            if is_response(&event.data) {
                return Ok(event.data.into_bytes());
            }
        }
        match stream.read(&mut piece)? {
            0 => return Ok(Vec::new()),
            length => reader.push(&piece[..length]),
        }
    }
}

fn is_response(message: &str) -> bool {
    message
        .parse::<Json>()
        .is_ok_and(|json| json.get("result").is_some() || json.get("error").is_some())
}

/// The response to a subscription.
pub(crate) enum Subscribed {
    Events(EventStream),
    /// An ordinary response: the subscription was not accepted.
    Refused(HttpResponse),
}

/// The events of a subscription.
pub(crate) enum EventStream {
    Response(ResponseEvents),
    #[cfg(feature = "websocket")]
    Socket(SocketEvents),
}

impl EventStream {
    /// Waits for the next event. An error is the reason for which there will be none.
    pub(crate) fn next(&mut self) -> Result<Event, String> {
        match self {
            Self::Response(events) => loop {
                match events.next(MAX_SILENCE)? {
                    Arrived::Event(event) => return Ok(event),
                    Arrived::Bytes => {}
                    Arrived::Nothing => return Err(format!("nothing came for {MAX_SILENCE:?}")),
                }
            },
            #[cfg(feature = "websocket")]
            Self::Socket(events) => events.next(),
        }
    }
}

/// The next thing that arrives of a response.
pub(crate) enum Arrived {
    Event(Event),
    /// Bytes that complete no event, such as a comment.
    Bytes,
    /// Not a byte within the time limit.
    Nothing,
}

/// The events of a response. A thread reads its body, so that waiting for an event can have a limit.
pub(crate) struct ResponseEvents {
    /// The pieces of the body, or the error with which it ends.
    pieces: Receiver<io::Result<Vec<u8>>>,
    reader: EventReader,
}

impl ResponseEvents {
    /// Begins to read the body of a response.
    pub(super) fn new(mut response: Response) -> Self {
        let (sender, pieces) = sync_channel(1);
        thread::spawn(move || {
            let mut piece = vec![0; PIECE_BYTES];
            loop {
                let read = response
                    .read(&mut piece)
                    .map(|length| piece[..length].to_vec());
                let is_last = match &read {
                    Ok(bytes) => bytes.is_empty(),
                    Err(_) => true,
                };
                // The receiver is gone when nothing waits for an event any more.
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Self {
            pieces,
            reader: EventReader::new(),
        }
    }

    /// Waits for what arrives next, but no longer than this. An error is the reason for which there will be nothing.
    pub(crate) fn next(&mut self, silence: Duration) -> Result<Arrived, String> {
        if let Some(event) = self.reader.next_event() {
            return Ok(Arrived::Event(event));
        }
        if self.reader.stored() as u64 > MAX_BYTES {
            return Err(format!("an event is larger than {} MiB", MAX_BYTES >> 20));
        }
        match self.pieces.recv_timeout(silence) {
            Ok(Ok(piece)) if piece.is_empty() => Err("the stream has ended".to_owned()),
            Ok(Ok(piece)) => {
                self.reader.push(&piece);
                Ok(Arrived::Bytes)
            }
            Ok(Err(error)) => Err(reason(&error)),
            Err(RecvTimeoutError::Timeout) => Ok(Arrived::Nothing),
            Err(RecvTimeoutError::Disconnected) => Err("the stream has ended".to_owned()),
        }
    }
}

/// Returns the reason for which a body ends too early. The error of the library is wrapped.
fn reason(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(|inner| inner.downcast_ref());
    cause.map_or_else(|| error.to_string(), explain::root_cause)
}

#[cfg(test)]
mod tests {
    use super::response;

    #[test]
    fn a_response_is_found_among_other_events() {
        let stream = ": hello\r\nevent: message\r\ndata: {\"method\":\r\ndata: \"a\"}\r\n\r\nid: 2\n\
                      data: {\"id\":1,\ndata:\"result\":{}}\n\ndata: {\"error\":1}\n\n";
        let found = response(stream.as_bytes()).expect("read");
        assert_eq!(found, b"{\"id\":1,\n\"result\":{}}");
        assert_eq!(response(&b"data: {\"result\":1}\n"[..]).expect("read"), b"");
    }
}
