//! Reads event streams, in which servers of MCP may send a response.
//!
//! Fields other than `data` are skipped: a response needs neither a name nor an id of its event.

use std::io::{self, BufRead, BufReader, Read};

use docent_describe::json::Json;

/// Reads a stream until an event holds a response of JSON-RPC, and returns it. The stream may also have
/// events with notifications, and may stay open.
pub(super) fn response(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut message = Vec::new();
    for bytes in BufReader::new(stream).split(b'\n') {
        let bytes = bytes?;
        let line = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
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
    std::str::from_utf8(message)
        .unwrap_or_default()
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
        assert_eq!(found, b" {\"id\":1,\n\"result\":{}}\n");
        assert_eq!(response(&b"data: {\"result\":1}\n"[..]).expect("read"), b"");
    }
}
