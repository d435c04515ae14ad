//! Caching (RFC 9110 and 9111): validators, ages, and who may store a response.

use std::borrow::Cow;
use std::time::Duration;

use docent_core::{Reply, Service};
use twox_hash::XxHash3_128;

use super::headers::Headers;
use super::response::{Value, is_value};
use crate::options::seconds;

/// A caller that may call this procedure may see everything that reveals the description.
pub(super) const DESCRIPTION: &str = "rpc.describe";

/// Returns a hash of a body, as text for a strong validator. It protects no secret, so a fast
/// 128-bit hash is enough.
pub(crate) fn hash(body: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let hash = XxHash3_128::oneshot(body).to_be_bytes();
    // What formatting makes of it costs 900 instructions, which is much for a small result.
    let mut text = [0; 32];
    for (place, digit) in text.iter_mut().enumerate() {
        let byte = hash[place / 2];
        let half = if place % 2 == 0 { byte >> 4 } else { byte & 15 };
        *digit = DIGITS[usize::from(half)];
    }
    // Digits are UTF-8.
    std::str::from_utf8(&text).unwrap_or_default().to_owned()
}

/// A strong validator (RFC 9110, section 8.8.3), with its quotes.
#[derive(Debug, Clone)]
pub(crate) struct Tag(String);

impl Tag {
    /// Creates a validator from the characters of a [hash].
    pub(super) fn new(text: &str, coding: &str) -> Self {
        let mut tag = String::with_capacity(text.len() + coding.len() + 2);
        tag.push('"');
        tag.push_str(text);
        tag.push_str(coding);
        tag.push('"');
        Self(tag)
    }

    /// Returns whether the caller already has the representation, by the weak comparison that
    /// `If-None-Match` requires.
    pub(crate) fn is_known(&self, headers: &Headers) -> bool {
        // Almost every client sends the one tag that it got.
        if headers.get("if-none-match") == Some(self.0.as_bytes()) {
            return true;
        }
        let lists = headers.texts("if-none-match");
        let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
        tags.any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.0)
    }
}

impl From<Tag> for Value {
    fn from(tag: Tag) -> Self {
        tag.0.into()
    }
}

/// Who may see a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// All callers without credentials.
    All,
    /// All callers that the guards accept, as the procedure declares.
    Admitted,
    /// Only the caller that sent the request.
    One,
}

impl Audience {
    pub(super) fn of(headers: &Headers, reply: &Reply) -> Self {
        if reply.is_shared() {
            // A cookie identifies a caller, unless a guard reads it.
            let personal = headers.has("cookie") && !names(reply.fields(), "cookie");
            return if personal { Self::One } else { Self::Admitted };
        }
        // A response to a request with credentials is for that caller only.
        let has_credentials = headers.has("authorization") || headers.has("cookie");
        if reply.is_personal() || has_credentials {
            Self::One
        } else {
            Self::All
        }
    }

    /// Returns the value of `Cache-Control`: how long the response may be reused, and by whom.
    pub(super) fn control(self, age: Option<Duration>) -> Value {
        match (self, age) {
            (Self::All, None) => "no-cache".into(),
            (Self::Admitted, None) => "public, no-cache".into(),
            (Self::One, None) => "private, no-cache".into(),
            (Self::All | Self::Admitted, Some(age)) => {
                format!("public, max-age={}", seconds(age)).into()
            }
            (Self::One, Some(age)) => format!("private, max-age={}", seconds(age)).into(),
        }
    }
}

/// Returns the value of `Cache-Control` for responses that reveal descriptions. They are private if
/// not everyone may see all of the descriptions.
pub(crate) fn description_control<'s>(
    services: impl IntoIterator<Item = &'s Service>,
) -> &'static str {
    let mut services = services.into_iter();
    if services.any(|service| service.is_guarded(DESCRIPTION)) {
        "private, no-cache"
    } else {
        "no-cache"
    }
}

/// Returns what a response to GET depends on besides its address: the accepted codings, what the
/// guards read, and whether there are credentials. A response to credentials is private, so a cache
/// must not mix the two. If all accepted callers get the same response, only cookies and the
/// credentials that a guard reads matter.
pub(super) fn vary_of(reply: &Reply) -> Value {
    if reply.is_shared() {
        vary("Accept-Encoding, Cookie", reply.fields())
    } else {
        vary("Accept-Encoding, Authorization, Cookie", reply.fields())
    }
}

/// Returns a `Vary` value with these fields and others, each once.
pub(crate) fn vary<'f>(fields: &'static str, others: impl IntoIterator<Item = &'f str>) -> Value {
    let mut all = Cow::Borrowed(fields);
    for other in others {
        if !names(all.split(", "), other) {
            let comma = if all.is_empty() { "" } else { ", " };
            all = Cow::Owned(format!("{all}{comma}{other}"));
        }
    }
    // `build()` checks field names. The fallback makes every cache revalidate.
    if matches!(all, Cow::Borrowed(_)) || is_value(&all) {
        all
    } else {
        "*".into()
    }
}

/// Returns the fields that descriptions depend on because guards read them.
pub(crate) fn fields_of_descriptions<'s>(
    services: impl IntoIterator<Item = &'s Service>,
) -> impl Iterator<Item = &'s str> {
    let services = services.into_iter();
    services.flat_map(|service| service.fields(DESCRIPTION))
}

fn names<'f>(mut fields: impl Iterator<Item = &'f str>, name: &str) -> bool {
    fields.any(|field| field.eq_ignore_ascii_case(name))
}
