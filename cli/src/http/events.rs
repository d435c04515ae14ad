//! Reads event streams, in which servers of MCP may send a response.

use std::io::{self, BufRead, BufReader, Read};

use docent_describe::json::Json;

/// Reads a stream until an event holds a response of JSON-RPC, and returns it. The stream may also have
/// events with notifications, and may stay open.
pub(super) fn response(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut message = Vec::new();
    for line in BufReader::new(stream).split(b'\n') {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if let Some(part) = line.strip_prefix(b"data:") {
            message.extend_from_slice(part);
            message.push(b'\n');
        } else if line.is_empty() {
            if is_response(&message) {
                return Ok(message);
            }
            message.clear();
        }
    }
    Ok(Vec::new())
}

fn is_response(message: &[u8]) -> bool {
    let text = std::str::from_utf8(message).unwrap_or_default();
    let json = text.parse::<Json>();
    json.is_ok_and(|json| json.get("result").is_some() || json.get("error").is_some())
}

#[cfg(test)]
mod tests {
    use super::response;

    #[test]
    fn a_response_is_found_among_other_events() {
        let stream = ": hello\r\nevent: message\r\ndata: {\"method\":\r\ndata: \"a\"}\r\n\r\nid: 2\n\
                      data: {\"id\":1,\ndata:\"result\":{}}\n\ndata: {\"error\":1}\n\n";
        let found = response(stream.as_bytes()).expect("read");
        assert_eq!(found, b" {\"id\":1,\n\"result\":{}}\n");
        assert_eq!(response(&b"data: {\"result\":1}\n"[..]).expect("read"), b"");
    }
}
