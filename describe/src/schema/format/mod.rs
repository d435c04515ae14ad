//! The formats and the content encodings of strings, in one table.
//!
//! A row of [`FORMATS`] has all that Docent knows of a format: its check, its phrase in messages, examples, the input
//! for it in a browser, and its type in clients:
//!
//! ```ignore
//! Format::new("date", "a date such as 2026-01-31", &["2024-02-29"])
//!     .grammar(time::date())
//!     .input("date")
//!     .client_type("IsoDate"),
//! ```
//!
//! JSON Schema leaves it open whether formats are checked. We check those that have a grammar or a check here, and
//! list them in the description (`enforcedFormats`). Each follows the document that JSON Schema refers to. So a new
//! format is a row, and forms, samples, clients and OpenAPI documents follow from it.
//!
//! A format is a pattern where it can be: then readers that do not know the format get the pattern instead. The crates
//! that validators use for formats accept more than the documents allow, or other texts, and have no patterns.

mod email;
mod grammar;
mod host;
mod time;
mod uri;

use std::sync::LazyLock;

use crate::pattern::Pattern;
use grammar::Grammar;

pub(super) use time::pattern_without_offset;
pub(crate) use uri::has_scheme;
pub use uri::is_uri;

/// A format that a description may have, or a content encoding.
///
/// ```
/// use docent_describe::schema::Format;
///
/// let date = Format::find("date").unwrap();
/// assert!(date.is_enforced());
/// assert_eq!(date.examples, ["2024-02-29"]);
/// assert!(Format::find("isbn").is_none());
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
    /// The check of texts outside the grammar.
    check: Option<fn(&str) -> bool>,
    /// A pattern that all texts match, where there is no grammar, or one without some of the texts.
    loose: Option<String>,
}

/// The formats of JSON Schema 2020-12 (validation, section 7.3) that common validators support,
/// which excludes internationalized addresses, names and identifiers.
static FORMATS: LazyLock<[Format; 15]> = LazyLock::new(|| {
    let pointer = "(?:/(?:[^/~]|~[01])*)*";
    [
        Format::new("date", "a date such as 2026-01-31", &["2024-02-29"])
            .grammar(time::date())
            .input("date")
            .client_type("IsoDate"),
        Format::new(
            "date-time",
            "a date and time such as 2026-01-31T12:00:00Z",
            &["2024-02-29T12:34:56Z", "1999-12-31T23:59:59.5+01:00"],
        )
        .grammar(time::date_time())
        .check(time::is_leap_date_time)
        .loose(time::any_date_time())
        .client_type("IsoDateTime"),
        Format::new("duration", "a duration such as P1DT12H", &["P3DT4H"])
            .grammar(time::duration())
            .client_type("IsoDuration"),
        Format::new("email", "an e-mail address", &["somebody@example.com"])
            .check(email::is_address)
            .loose(r"^.+@[^@\s]+$"),
        Format::new("hostname", "a host name", &["example.com"])
            .check(host::is_name)
            .loose("^[-.0-9A-Za-z]+$"),
        Format::new("ipv4", "an IPv4 address", &["192.0.2.1"])
            .check(host::is_v4)
            .loose(r"^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$"),
        Format::new("ipv6", "an IPv6 address", &["2001:db8::1"])
            .check(host::is_v6)
            .loose("^[0-9A-Fa-f:.]+$"),
        Format::new("json-pointer", "a JSON Pointer", &["/a/0"]).grammar(format!("^{pointer}$")),
        Format::new("regex", "an ECMA-262 regular expression", &["^a+$"])
            .check(Pattern::is_pattern),
        Format::new("relative-json-pointer", "a relative JSON Pointer", &["1/a"])
            .grammar(format!("^(?:0|[1-9][0-9]*)(?:#|{pointer})$")),
        Format::new("time", "a time such as 12:00:00Z", &["12:34:56Z"])
            .grammar(time::time())
            .check(time::is_leap_time)
            .loose(time::any_time())
            .client_type("IsoTime"),
        Format::new(
            "uri",
            "a URI with a scheme",
            &["https://example.com/a?b=c#d"],
        )
        .check(is_uri)
        .loose(r"^[A-Za-z][-+.0-9A-Za-z]*:\S*$"),
        Format::new("uri-reference", "a URI or a relative reference", &["../a"])
            .check(uri::is_reference)
            .loose(r"^\S*$"),
        Format::new("uri-template", "a URI template", &["books/{id}"]),
        Format::new("uuid", "a UUID", &["41544946-415a-495a-9645-454441534646"])
            .grammar("^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
    ]
});

/// The content encodings that are known (RFC 4648). A service that checks one lists it among its
/// formats.
static ENCODINGS: LazyLock<[Format; 1]> = LazyLock::new(|| {
    // Section 4, with padding. The bits that are left over are zero.
    let canonical =
        "^(?:[+/0-9A-Za-z]{4})*(?:[+/0-9A-Za-z][AQgw]==|[+/0-9A-Za-z]{2}[048AEIMQUYcgkosw]=)?$";
    [Format::new(
        "base64",
        "bytes in canonical base64 such as AAEC/w==",
        &["AAEC/w==", "YWJj", ""],
    )
    .grammar(canonical)]
});

impl Format {
    /// Creates a format that services do not check, unless it gets a grammar or a check.
    fn new(name: &'static str, phrase: &'static str, examples: &'static [&'static str]) -> Self {
        Self {
            name,
            phrase,
            examples,
            ..Self::default()
        }
    }

    /// Sets the type of a browser's input.
    fn input(mut self, input: &'static str) -> Self {
        self.input = Some(input);
        self
    }

    /// Sets the name of the type in clients.
    fn client_type(mut self, name: &'static str) -> Self {
        self.client_type = Some(name);
        self
    }

    /// Sets the pattern that all texts of the format match, or nearly all.
    fn grammar(mut self, pattern: impl Into<String>) -> Self {
        self.grammar = Some(Grammar::new(pattern));
        self
    }

    /// Sets the check of texts outside the grammar.
    fn check(mut self, check: fn(&str) -> bool) -> Self {
        self.check = Some(check);
        self
    }

    /// Sets a pattern that all texts match, for readers that cannot check the format.
    fn loose(mut self, pattern: impl Into<String>) -> Self {
        self.loose = Some(pattern.into());
        self
    }

    /// Returns all formats that a description may have.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FORMATS.iter()
    }

    /// Returns all content encodings that are known.
    pub fn encodings() -> impl Iterator<Item = &'static Self> {
        ENCODINGS.iter()
    }

    /// Returns the format with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().find(|format| format.name == name)
    }

    /// Returns the content encoding with this name.
    pub fn encoding(name: &str) -> Option<&'static Self> {
        Self::encodings().find(|encoding| encoding.name == name)
    }

    /// Returns whether services check the format.
    pub fn is_enforced(&self) -> bool {
        self.grammar.is_some() || self.check.is_some()
    }

    /// Returns the pattern that matches exactly the texts of the format, except for leap seconds.
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
