//! The lines of an access log.
//!
//! Names may come from callers, so they are escaped and shortened: no caller can write a line of
//! its own.

use std::fmt::Write as _;
use std::time::SystemTime;

use crate::headers::{OverUnix, Peer};
use docent_core::{CallRecord, Ending, RequestId};
use docent_describe::json::shorten_quoted;
use time::OffsetDateTime;

/// The longest name that is written in full, in characters.
const MAX_NAME_CHARS: usize = 100;

/// The format of the lines.
#[derive(Debug, Clone, Copy)]
pub(super) enum LineFormat {
    Text,
    Json,
}

/// Returns the line of a call, with its end.
pub(super) fn format_line(call: &CallRecord<'_>, format: LineFormat, time: SystemTime) -> String {
    let id = call.extension::<RequestId>();
    let client = call.client_address().map(|client| client.to_string());
    let seconds = call
        .duration
        .map(|duration| format!("{:.6}", duration.as_secs_f64()));
    let mut fields = LineBuilder::new(format, time);
    fields.token("id", id.map(RequestId::as_str));
    fields.token("id_from", id.map(id_from));
    fields.token("peer", peer(call).as_deref());
    fields.token("client", client.as_deref());
    fields.text("caller", call.caller().as_deref());
    fields.text("procedure", Some(call.procedure));
    fields.text("version", call.version);
    fields.value("code", call.code.map(|code| code.to_string()).as_deref());
    fields.token("ending", Some(ending(call)));
    if call.replayed {
        fields.value("replayed", Some("true"));
    }
    if call.subscription {
        // Its duration is no call's.
        fields.value("subscription", Some("true"));
    }
    fields.value("seconds", seconds.as_deref());
    fields.value("request_bytes", Some(&call.request_bytes.to_string()));
    fields.value("response_bytes", Some(&call.response_bytes.to_string()));
    fields.end()
}

/// Emits a call as an event.
pub(super) fn emit(call: &CallRecord<'_>) {
    let id = call.extension::<RequestId>();
    tracing::info!(
        target: "docent::access",
        id = id.map(RequestId::as_str),
        id_from = id.map(id_from),
        peer = peer(call).map(tracing::field::display),
        client = call.client_address().map(tracing::field::display),
        caller = call.caller().as_deref().map(shortened),
        procedure = shortened(call.procedure),
        version = call.version.map(shortened),
        code = call.code,
        ending = ending(call),
        replayed = call.replayed.then_some(true),
        subscription = call.subscription.then_some(true),
        seconds = call.duration.map(|duration| duration.as_secs_f64()),
        request_bytes = call.request_bytes,
        response_bytes = call.response_bytes,
        "call"
    );
}

/// Shortens a text that a caller or the author chose. The subscriber puts it in quotation marks itself.
fn shortened(text: &str) -> String {
    let quoted = shorten_quoted(text, MAX_NAME_CHARS);
    quoted[1..quoted.len() - 1].to_owned()
}

/// Returns who chose an ID. Callers may repeat theirs.
fn id_from(id: &RequestId) -> &'static str {
    if id.is_given() { "caller" } else { "server" }
}

/// Returns the address of the peer, or that it is on a Unix socket.
fn peer(call: &CallRecord<'_>) -> Option<String> {
    call.extension()
        .map(|Peer(address)| address.to_string())
        .or_else(|| call.extension().map(|OverUnix| "unix".to_owned()))
}

fn ending(call: &CallRecord<'_>) -> &'static str {
    match call.ending {
        Ending::Answered => "answered",
        Ending::Unanswered => "unanswered",
        Ending::Cancelled => "cancelled",
        _ => "unknown",
    }
}

/// Returns the line with the number of missing ones.
pub(super) fn gap(format: LineFormat, time: SystemTime, dropped: u64) -> String {
    let mut fields = LineBuilder::new(format, time);
    fields.value("dropped", Some(&dropped.to_string()));
    fields.end()
}

/// The fields of a line.
struct LineBuilder {
    format: LineFormat,
    text: String,
}

impl LineBuilder {
    fn new(format: LineFormat, time: SystemTime) -> Self {
        let text = match format {
            LineFormat::Text => format!("time={}", rfc3339(time)),
            LineFormat::Json => format!("{{\"time\":\"{}\"", rfc3339(time)),
        };
        Self { format, text }
    }

    /// Adds a text of plain characters.
    fn token(&mut self, name: &str, token: Option<&str>) {
        match (self.format, token) {
            (LineFormat::Json, Some(token)) => self.value(name, Some(&format!("\"{token}\""))),
            _ => self.value(name, token),
        }
    }

    /// Adds a text that a caller or the author chose: as JSON writes it, and shortened.
    fn text(&mut self, name: &str, text: Option<&str>) {
        let quoted = text.map(|text| shorten_quoted(text, MAX_NAME_CHARS));
        self.value(name, quoted.as_deref());
    }

    /// Adds a value, as JSON writes it.
    fn value(&mut self, name: &str, value: Option<&str>) {
        // Writing to a `String` cannot fail.
        let _ = match self.format {
            LineFormat::Text => write!(self.text, " {name}={}", value.unwrap_or("-")),
            LineFormat::Json => write!(self.text, ",\"{name}\":{}", value.unwrap_or("null")),
        };
    }

    fn end(mut self) -> String {
        self.text.push_str(match self.format {
            LineFormat::Text => "\n",
            LineFormat::Json => "}\n",
        });
        self.text
    }
}

/// Writes a time in UTC, with milliseconds (RFC 3339).
fn rfc3339(time: SystemTime) -> String {
    let utc = OffsetDateTime::from(time);
    let date = utc.date();
    let (hour, minute, second, millisecond) = utc.to_hms_milli();
    format!("{date}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_are_dates_in_utc() {
        for (milliseconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_millis(milliseconds);
            assert_eq!(rfc3339(time), expected);
        }
    }
}
