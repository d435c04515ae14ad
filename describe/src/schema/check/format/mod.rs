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

type FormatCheck = fn(&str) -> bool;

/// A format that is enforced.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    name: &'static str,
    /// A description of the texts that match, for messages.
    pub(super) phrase: &'static str,
    /// The check of a format that is more than a pattern.
    check: Option<FormatCheck>,
}

/// All formats: the name, a description for messages, and the check.
const FORMATS: [(&str, &str, Option<FormatCheck>); 14] = [
    ("date", "a date such as 2026-01-31", None),
    (
        "date-time",
        "a date and time such as 2026-01-31T12:00:00Z",
        Some(time::is_date_time),
    ),
    ("duration", "a duration such as P1DT12H", None),
    ("email", "an e-mail address", Some(email::is_address)),
    ("hostname", "a host name", Some(host::is_name)),
    ("ipv4", "an IPv4 address", Some(host::is_v4)),
    ("ipv6", "an IPv6 address", Some(host::is_v6)),
    ("json-pointer", "a JSON Pointer", None),
    (
        "regex",
        "an ECMA-262 regular expression",
        Some(Pattern::is_pattern),
    ),
    ("relative-json-pointer", "a relative JSON Pointer", None),
    ("time", "a time such as 12:00:00Z", Some(time::is_time)),
    ("uri", "a URI with a scheme", Some(is_uri)),
    (
        "uri-reference",
        "a URI or a relative reference",
        Some(uri::is_reference),
    ),
    ("uuid", "a UUID", None),
];

impl Format {
    /// Returns the format with this name, if it is enforced.
    pub fn named(name: &str) -> Option<Self> {
        let (name, phrase, check) = FORMATS.into_iter().find(|(known, ..)| *known == name)?;
        Some(Self {
            name,
            phrase,
            check,
        })
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
