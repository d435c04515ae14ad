//! The lines of an access log.

use std::fmt::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use docent_core::{CallRecord, Ending, RequestId};
use docent_describe::json::shorten_quoted;

use super::Format;
use crate::contract::{OverUnix, Peer};

/// The longest name that is written in full, in characters.
const SHOWN: usize = 100;

/// The fields of a call's line, before they are formatted.
pub(super) struct Line<'a> {
    time: SystemTime,
    id: Option<&'a RequestId>,
    peer: Option<Source>,
    client: Option<IpAddr>,
    /// The caller, in quotation marks, as in JSON.
    caller: Option<String>,
    /// The procedure, in quotation marks, as in JSON.
    procedure: String,
    /// The version, in quotation marks, as in JSON.
    version: Option<String>,
    code: Option<i64>,
    ending: &'static str,
    duration: Option<Duration>,
    request_bytes: usize,
    response_bytes: usize,
}

impl<'a> Line<'a> {
    pub(super) fn of(call: &'a CallRecord<'_>, time: SystemTime) -> Self {
        Self {
            time,
            id: call.extension(),
            peer: Source::of(call),
            client: call.client_address(),
            caller: call.caller().map(|caller| shorten_quoted(&caller, SHOWN)),
            procedure: shorten_quoted(call.procedure, SHOWN),
            version: call.version.map(|version| shorten_quoted(version, SHOWN)),
            code: call.code,
            ending: match call.ending {
                Ending::Answered => "answered",
                Ending::Unanswered => "unanswered",
                Ending::Cancelled => "cancelled",
                _ => "unknown",
            },
            duration: call.duration,
            request_bytes: call.request_bytes,
            response_bytes: call.response_bytes,
        }
    }

    /// Returns the line, with its end.
    pub(super) fn write(&self, format: Format) -> String {
        let mut fields = Fields::new(format, self.time);
        fields.word("id", self.id.map(RequestId::as_str));
        fields.word("id_from", self.id_from());
        fields.word("peer", self.peer.map(|peer| peer.to_string()).as_deref());
        let client = self.client.map(|client| client.to_string());
        fields.word("client", client.as_deref());
        fields.value("caller", self.caller.as_deref());
        fields.value("procedure", Some(&self.procedure));
        fields.value("version", self.version.as_deref());
        fields.value("code", self.code.map(|code| code.to_string()).as_deref());
        fields.word("ending", Some(self.ending));
        let seconds = self.duration.map(|it| format!("{:.6}", it.as_secs_f64()));
        fields.value("seconds", seconds.as_deref());
        fields.value("request_bytes", Some(&self.request_bytes.to_string()));
        fields.value("response_bytes", Some(&self.response_bytes.to_string()));
        fields.end()
    }

    /// Returns who chose the ID. Callers may repeat theirs.
    fn id_from(&self) -> Option<&'static str> {
        let by = |id: &RequestId| if id.is_given() { "caller" } else { "server" };
        self.id.map(by)
    }

    /// Emits the line as an event.
    pub(super) fn emit(&self) {
        // The subscriber puts texts in quotation marks itself.
        tracing::info!(
            target: "docent::access",
            id = self.id.map(RequestId::as_str),
            id_from = self.id_from(),
            peer = self.peer.map(tracing::field::display),
            client = self.client.map(tracing::field::display),
            caller = self.caller.as_deref().map(unquoted),
            procedure = unquoted(&self.procedure),
            version = self.version.as_deref().map(unquoted),
            code = self.code,
            ending = self.ending,
            seconds = self.duration.map(|duration| duration.as_secs_f64()),
            request_bytes = self.request_bytes,
            response_bytes = self.response_bytes,
            "call"
        );
    }
}

/// The transport that a call came over, with the peer's address if there is one.
#[derive(Clone, Copy)]
enum Source {
    Address(SocketAddr),
    Unix,
}

impl Source {
    fn of(call: &CallRecord<'_>) -> Option<Self> {
        let address = call
            .extension()
            .map(|Peer(address)| Self::Address(*address));
        address.or_else(|| call.extension().map(|OverUnix| Self::Unix))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Unix => f.write_str("unix"),
        }
    }
}

/// Returns the text between quotation marks.
fn unquoted(text: &str) -> &str {
    let text = text.strip_prefix('"').unwrap_or(text);
    text.strip_suffix('"').unwrap_or(text)
}

/// Returns the line with the number of missing ones.
pub(super) fn gap(format: Format, time: SystemTime, dropped: u64) -> String {
    let mut fields = Fields::new(format, time);
    fields.value("dropped", Some(&dropped.to_string()));
    fields.end()
}

/// The fields of a line.
struct Fields {
    format: Format,
    text: String,
}

impl Fields {
    fn new(format: Format, time: SystemTime) -> Self {
        let text = match format {
            Format::Text => format!("time={}", rfc3339(time)),
            Format::Json => format!("{{\"time\":\"{}\"", rfc3339(time)),
        };
        Self { format, text }
    }

    /// Adds a text of plain characters.
    fn word(&mut self, name: &str, word: Option<&str>) {
        match (self.format, word) {
            (Format::Json, Some(word)) => self.value(name, Some(&format!("\"{word}\""))),
            _ => self.value(name, word),
        }
    }

    /// Adds a value, as JSON writes it.
    fn value(&mut self, name: &str, value: Option<&str>) {
        // Writing to a `String` cannot fail.
        let _ = match self.format {
            Format::Text => write!(self.text, " {name}={}", value.unwrap_or("-")),
            Format::Json => write!(self.text, ",\"{name}\":{}", value.unwrap_or("null")),
        };
    }

    fn end(mut self) -> String {
        self.text.push_str(match self.format {
            Format::Text => "\n",
            Format::Json => "}\n",
        });
        self.text
    }
}

/// Writes a time in UTC, with milliseconds (RFC 3339).
fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let millisecond = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
}

/// Returns the Gregorian date that is this many days after 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Counted in years that begin on 1 March, leap days come last: 400 such years have 146,097 days, and
    // five months 153.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
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
