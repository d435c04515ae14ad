//! Reads event streams, in which servers of MCP may send a response.

use std::io::{self, Read};

use docent_client::EventReader;
use docent_describe::json::Json;

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
