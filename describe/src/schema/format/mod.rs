//! The formats and the content encodings of strings, in one table: whether they are checked and how, what messages
//! call them, examples, and what a browser is told.
//!
//! JSON Schema does not say whether formats are checked. We check those that have a rule here, and
//! list them in the description. Each follows the document that JSON Schema refers to.

mod email;
mod grammar;
mod host;
mod publish;
mod time;
mod uri;

use std::sync::LazyLock;

use crate::pattern::Pattern;
use grammar::Grammar;

pub use publish::{OWN_FORMAT, is_numeric_format, publish_formats};
pub(super) use publish::{ip_versions, spell_out};
pub(crate) use uri::has_scheme;
pub use uri::is_uri;

/// A format that a description may have, or a content encoding.
///
/// ```
/// use docent_describe::schema::Format;
///
/// let date = Format::named("date").unwrap();
/// assert!(date.is_enforced());
/// assert_eq!(date.examples, ["2024-02-29"]);
/// assert!(Format::named("isbn").is_none());
/// ```
#[derive(Debug, Default)]
pub struct Format {
    /// The name in schemas.
    pub name: &'static str,
    /// The texts that match, for messages: "a date such as 2026-01-31".
    pub phrase: &'static str,
    /// Texts that match, the most usual first.
    pub examples: &'static [&'static str],
    /// The type of a browser's input for the texts, if there is one.
    pub input: Option<&'static str>,
    /// The name of the type of the texts in clients, if they have one.
    pub client_type: Option<&'static str>,
    /// The texts that match.
    grammar: Option<Grammar>,
    /// The check of texts that are not of the grammar.
    check: Option<fn(&str) -> bool>,
    /// A pattern that all texts match, where the grammar says less than all or nothing.
    loose: Option<String>,
}

/// The formats of JSON Schema 2020-12 (validation, section 7.3) that common validators support,
/// which excludes internationalized addresses, names and identifiers.
static FORMATS: LazyLock<[Format; 15]> = LazyLock::new(|| {
    let pointer = "(?:/(?:[^/~]|~[01])*)*";
    [
        Format {
            name: "date",
            phrase: "a date such as 2026-01-31",
            examples: &["2024-02-29"],
            input: Some("date"),
            client_type: Some("IsoDate"),
            grammar: Some(Grammar::new(time::date())),
            ..Format::default()
        },
        Format {
            name: "date-time",
            phrase: "a date and time such as 2026-01-31T12:00:00Z",
            examples: &["2024-02-29T12:34:56Z", "1999-12-31T23:59:59.5+01:00"],
            client_type: Some("IsoDateTime"),
            grammar: Some(Grammar::new(time::date_time())),
            check: Some(time::is_leap_date_time),
            loose: Some(time::any_date_time()),
            ..Format::default()
        },
        Format {
            name: "duration",
            phrase: "a duration such as P1DT12H",
            examples: &["P3DT4H"],
            client_type: Some("IsoDuration"),
            grammar: Some(Grammar::new(time::duration())),
            ..Format::default()
        },
        Format {
            name: "email",
            phrase: "an e-mail address",
            examples: &["somebody@example.com"],
            check: Some(email::is_address),
            loose: Some(r"^.+@[^@\s]+$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "hostname",
            phrase: "a host name",
            examples: &["example.com"],
            check: Some(host::is_name),
            loose: Some("^[-.0-9A-Za-z]+$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "ipv4",
            phrase: "an IPv4 address",
            examples: &["192.0.2.1"],
            check: Some(host::is_v4),
            loose: Some(r"^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "ipv6",
            phrase: "an IPv6 address",
            examples: &["2001:db8::1"],
            check: Some(host::is_v6),
            loose: Some("^[0-9A-Fa-f:.]+$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "json-pointer",
            phrase: "a JSON Pointer",
            examples: &["/a/0"],
            grammar: Some(Grammar::new(format!("^{pointer}$"))),
            ..Format::default()
        },
        Format {
            name: "regex",
            phrase: "an ECMA-262 regular expression",
            examples: &["^a+$"],
            check: Some(Pattern::is_pattern),
            ..Format::default()
        },
        Format {
            name: "relative-json-pointer",
            phrase: "a relative JSON Pointer",
            examples: &["1/a"],
            grammar: Some(Grammar::new(format!("^(?:0|[1-9][0-9]*)(?:#|{pointer})$"))),
            ..Format::default()
        },
        Format {
            name: "time",
            phrase: "a time such as 12:00:00Z",
            examples: &["12:34:56Z"],
            client_type: Some("IsoTime"),
            grammar: Some(Grammar::new(time::time())),
            check: Some(time::is_leap_time),
            loose: Some(time::any_time()),
            ..Format::default()
        },
        Format {
            name: "uri",
            phrase: "a URI with a scheme",
            examples: &["https://example.com/a?b=c#d"],
            check: Some(is_uri),
            loose: Some(r"^[A-Za-z][-+.0-9A-Za-z]*:\S*$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "uri-reference",
            phrase: "a URI or a relative reference",
            examples: &["../a"],
            check: Some(uri::is_reference),
            loose: Some(r"^\S*$".to_owned()),
            ..Format::default()
        },
        Format {
            name: "uri-template",
            phrase: "a URI template",
            examples: &["/books/{id}"],
            ..Format::default()
        },
        Format {
            name: "uuid",
            phrase: "a UUID",
            examples: &["41544946-415a-495a-9645-454441534646"],
            grammar: Some(Grammar::new(
                "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
            )),
            ..Format::default()
        },
    ]
});

/// The content encodings that are known (RFC 4648). A service that checks one lists it among its formats.
static ENCODINGS: LazyLock<[Format; 1]> = LazyLock::new(|| {
    [Format {
        name: "base64",
        phrase: "bytes as base64",
        examples: &["AAEC/w==", "YWJj", ""],
        ..Format::default()
    }]
});

impl Format {
    /// Returns all formats that a description may have.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FORMATS.iter()
    }

    /// Returns the format with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|format| format.name == name)
    }

    /// Returns the content encoding with this name.
    pub fn encoding(name: &str) -> Option<&'static Self> {
        ENCODINGS.iter().find(|encoding| encoding.name == name)
    }

    /// Returns whether services check the format.
    pub fn is_enforced(&self) -> bool {
        self.grammar.is_some() || self.check.is_some()
    }

    /// Returns the pattern that says as much as the format, except for leap seconds.
    pub(crate) fn pattern(&self) -> Option<&str> {
        self.grammar.as_ref().map(|grammar| &*grammar.text)
    }

    /// Returns a pattern that all texts of the format match, and maybe others.
    pub fn loose_pattern(&self) -> Option<&str> {
        self.loose.as_deref().or_else(|| self.pattern())
    }

    /// Returns whether a text has the format.
    pub(super) fn admits(&self, text: &str) -> bool {
        self.grammar
            .as_ref()
            .is_some_and(|grammar| grammar.admits(text))
            || self.check.is_some_and(|check| check(text))
    }
}

#[cfg(test)]
mod tests;
