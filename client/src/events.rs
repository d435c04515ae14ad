//! Reads streams of events (Server-Sent Events; HTML, section 9.2.6).
//!
//! A body arrives in pieces that have nothing to do with events, so [`EventReader`] takes pieces and gives events. It
//! knows the fields that a subscription has, `data`, `id` and `retry`, and skips all others, as browsers do.

use std::time::Duration;

/// An event. One without data only sets the `id` with which the stream resumes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The data: a message of JSON-RPC.
    pub data: String,
    /// The value that `Last-Event-ID` has from now on.
    pub id: Option<String>,
    /// The time after which to resume when the stream has ended.
    pub retry: Option<Duration>,
}

/// Reads events from the pieces of a body.
#[derive(Debug, Default)]
pub struct EventReader {
    /// The bytes that have arrived and are not read.
    bytes: Vec<u8>,
    /// The beginning of the next line in the bytes.
    line: usize,
    /// The bytes of that line in which there is no line break, so that a long line is searched once.
    searched: usize,
    event: Event,
    has_fields: bool,
}

impl EventReader {
    /// Creates a reader at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece of the body.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.drain(..std::mem::take(&mut self.line));
        self.bytes.extend_from_slice(piece);
    }

    /// Returns the number of bytes that are stored for an event that is not complete.
    pub fn stored(&self) -> usize {
        self.bytes.len() - self.line + self.event.data.len()
    }

    /// Returns the next event that is complete.
    pub fn next_event(&mut self) -> Option<Event> {
        loop {
            let rest = &self.bytes[self.line..];
            let unsearched = &rest[self.searched..];
            let Some(at) = unsearched.iter().position(|byte| is_line_break(*byte)) else {
                self.searched = rest.len();
                return None;
            };
            let end = self.searched + at;
            // What follows a CR decides whether it ends a line by itself.
            let after = match rest[end..] {
                [b'\r'] => return None,
                [b'\r', b'\n', ..] => end + 2,
                _ => end + 1,
            };
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            self.line += after;
            self.searched = 0;
            if !line.is_empty() {
                self.read_field(&line);
            } else if std::mem::take(&mut self.has_fields) {
                let mut event = std::mem::take(&mut self.event);
                event.data.pop();
                return Some(event);
            }
        }
    }

    fn read_field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        let event = &mut self.event;
        match name {
            "data" => event.data.extend([value, "\n"]),
            "id" if !value.contains('\0') => event.id = Some(value.to_owned()),
            "retry" => match value.parse() {
                Ok(milliseconds) => event.retry = Some(Duration::from_millis(milliseconds)),
                Err(_) => return,
            },
            // A comment, or a field of no use.
            _ => return,
        }
        self.has_fields = true;
    }
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = ": hello\r\nevent: message\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 7\n\
                          retry: 1500\ndata:second\n\n\n:\n\nid: -\r\rdata: unfinished\n";

    fn event(data: &str, id: Option<&str>, retry: Option<u64>) -> Event {
        Event {
            data: data.to_owned(),
            id: id.map(str::to_owned),
            retry: retry.map(Duration::from_millis),
        }
    }

    #[test]
    fn events_are_read_whatever_the_pieces_they_come_in() {
        for size in 1..STREAM.len() {
            let mut reader = EventReader::new();
            let mut events = Vec::new();
            for piece in STREAM.as_bytes().chunks(size) {
                reader.push(piece);
                events.extend(std::iter::from_fn(|| reader.next_event()));
            }
            let expected = [
                event("{\"a\":\n1}", None, None),
                event("second", Some("7"), Some(1_500)),
                event("", Some("-"), None),
            ];
            assert_eq!(events, expected, "in pieces of {size}");
            assert_eq!(reader.stored(), "unfinished\n".len());
        }
    }
}
