//! Checks `format`: JSON Schema's names for texts of a certain form.
//!
//! JSON Schema does not say whether formats are checked. We check those that this module knows, and
//! list them in the description. Each follows the document that JSON Schema refers to.

mod email;
mod grammar;
mod host;
mod time;
mod uri;

use crate::pattern::Pattern;
use grammar::follows;

pub(crate) use uri::has_scheme;
pub use uri::is_uri;

/// A format that is enforced.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    name: &'static str,
    /// A description of the texts that match, for messages.
    pub(super) phrase: &'static str,
    /// The check of a format that is more than a pattern.
    check: Option<fn(&str) -> bool>,
}

/// All formats, by name.
const FORMATS: [Format; 14] = [
    format("date", "a date such as 2026-01-31", None),
    format(
        "date-time",
        "a date and time such as 2026-01-31T12:00:00Z",
        Some(time::is_date_time),
    ),
    format("duration", "a duration such as P1DT12H", None),
    format("email", "an e-mail address", Some(email::is_address)),
    format("hostname", "a host name", Some(host::is_name)),
    format("ipv4", "an IPv4 address", Some(host::is_v4)),
    format("ipv6", "an IPv6 address", Some(host::is_v6)),
    format("json-pointer", "a JSON Pointer", None),
    format(
        "regex",
        "an ECMA-262 regular expression",
        Some(Pattern::is_pattern),
    ),
    format("relative-json-pointer", "a relative JSON Pointer", None),
    format("time", "a time such as 12:00:00Z", Some(time::is_time)),
    format("uri", "a URI with a scheme", Some(is_uri)),
    format(
        "uri-reference",
        "a URI or a relative reference",
        Some(uri::is_reference),
    ),
    format("uuid", "a UUID", None),
];

const fn format(
    name: &'static str,
    phrase: &'static str,
    check: Option<fn(&str) -> bool>,
) -> Format {
    Format {
        name,
        phrase,
        check,
    }
}

impl Format {
    /// Returns the format with this name, if it is enforced.
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns whether a text has the format.
    pub(super) fn admits(self, text: &str) -> bool {
        self.check
            .map_or_else(|| follows(self.name, text), |check| check(text))
    }
}

#[cfg(test)]
mod tests;
