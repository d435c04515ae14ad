//! Fields that handlers add to the response of their call: over HTTP, header fields such as `Set-Cookie`.
//!
//! A handler may add any field that the contract does not decide. The names are checked where a field is added, so
//! that its author hears of a mistake whatever carries the call.

use std::fmt;

/// The fields that the contract or a carrier writes: framing, hop-by-hop fields, caching, validators, and those of
/// the contract itself.
const CONTRACT_FIELDS: [&str; 31] = [
    "accept-encoding",
    "accept-post",
    "age",
    "allow",
    "cache-control",
    "cdn-cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "host",
    "http2-settings",
    "idempotent-replayed",
    "keep-alive",
    "last-modified",
    "location",
    "pragma",
    "surrogate-control",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "vary",
    "warning",
    "www-authenticate",
    "x-content-type-options",
    "x-request-id",
];

/// The beginnings of the names of other such fields.
const CONTRACT_PREFIXES: [&str; 3] = ["access-control-", "proxy-", "sec-"];

/// The fields that a response may have more than once: `Set-Cookie`, and those whose value is a list (RFC 9110,
/// section 5.3).
const REPEATABLE_FIELDS: [&str; 24] = [
    "accept-ch",
    "accept-patch",
    "accept-ranges",
    "alt-svc",
    "cache-status",
    "clear-site-data",
    "content-digest",
    "content-language",
    "content-security-policy",
    "content-security-policy-report-only",
    "critical-ch",
    "link",
    "permissions-policy",
    "preference-applied",
    "reporting-endpoints",
    "repr-digest",
    "server-timing",
    "set-cookie",
    "signature",
    "signature-input",
    "speculation-rules",
    "timing-allow-origin",
    "via",
    "x-robots-tag",
];

/// A field that a handler has added to its response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResponseField {
    /// The name, in lower case.
    pub name: String,
    /// The value.
    pub value: String,
}

impl ResponseField {
    /// Creates a field.
    pub(crate) fn new(name: &str, value: String) -> Result<Self, FieldError> {
        let lower_name = name.to_ascii_lowercase();
        let is_reserved = CONTRACT_FIELDS.binary_search(&&*lower_name).is_ok()
            || CONTRACT_PREFIXES
                .iter()
                .any(|prefix| lower_name.starts_with(prefix));
        let reason = if !is_field_name(name) {
            "it is not a valid field name (RFC 9110, section 5.1)"
        } else if is_reserved {
            "handlers do not decide it"
        } else if !is_field_value(&value) {
            "its value may have only visible ASCII characters, spaces and tabs"
        } else {
            let name = lower_name;
            return Ok(Self { name, value });
        };
        Err(FieldError {
            name: name.to_owned(),
            reason,
        })
    }

    /// Returns whether a response may have several fields of this name. Of any other, the first is sent.
    pub fn is_repeatable(&self) -> bool {
        REPEATABLE_FIELDS.binary_search(&&*self.name).is_ok()
    }
}

/// The reason why a handler cannot add a field to its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    name: String,
    reason: &'static str,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the field {:?} cannot be added: {}",
            self.name, self.reason
        )
    }
}

impl std::error::Error for FieldError {}

/// Returns whether a field can have this name (RFC 9110, section 5.1). `*` is excluded: in a list of
/// names, it means that a response depends on anything at all.
pub(crate) fn is_field_name(name: &str) -> bool {
    !name.is_empty()
        && name != "*"
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Returns whether a text can be a header field's value (RFC 9110, section 5.5, without obsolete
/// forms).
pub fn is_field_value(text: &str) -> bool {
    // Without an early end, several bytes are looked at with one instruction.
    text.bytes().fold(true, |is_value, byte| {
        is_value & matches!(byte, b'\t' | b' '..=b'~')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(name: &str, value: &str) -> Result<ResponseField, FieldError> {
        ResponseField::new(name, value.to_owned())
    }

    #[test]
    fn what_the_contract_decides_is_refused_in_any_case() {
        assert!(CONTRACT_FIELDS.is_sorted() && REPEATABLE_FIELDS.is_sorted());
        let with_prefix = [
            "Access-Control-Allow-Origin",
            "Proxy-Authenticate",
            "Sec-WebSocket-Accept",
        ];
        for name in CONTRACT_FIELDS.into_iter().chain(with_prefix) {
            for name in [name.to_owned(), name.to_ascii_uppercase()] {
                let error = add(&name, "x").expect_err(&name).to_string();
                assert!(
                    error.contains(&name) && error.ends_with("decide it"),
                    "{error}"
                );
            }
        }
        for name in REPEATABLE_FIELDS
            .into_iter()
            .chain(["Retry-After", "X-Shelf"])
        {
            assert_eq!(add(name, "x").expect(name).name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn what_would_split_a_head_is_refused() {
        for name in ["", "*", "a b", "a:", "a\r\nb", "ä"] {
            let error = add(name, "x").expect_err(name).to_string();
            assert!(error.contains("not a valid field name"), "{error}");
        }
        for value in ["a\r\nX-Evil: 1", "a\nb", "\0", "ä", "\u{7f}"] {
            let error = add("X-Shelf", value).expect_err(value).to_string();
            assert!(error.contains("visible ASCII"), "{error}");
        }
    }

    #[test]
    fn only_cookies_links_and_lists_are_repeatable() {
        for (name, is_repeatable) in [
            ("Set-Cookie", true),
            ("Link", true),
            ("Server-Timing", true),
            ("Retry-After", false),
            ("X-Shelf", false),
        ] {
            assert_eq!(add(name, "").expect(name).is_repeatable(), is_repeatable);
        }
    }
}
