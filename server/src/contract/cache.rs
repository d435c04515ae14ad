//! Cache headers (RFC 9110 and 9111): validators, ages, and who may store a response.

use std::borrow::Cow;
use std::time::Duration;

use docent_core::{Reply, Service};
use twox_hash::XxHash3_128;

use super::headers::Headers;
use super::response::{Value, is_value};
use crate::options::seconds;

/// Callers that may call this may see everything that reveals the description.
pub(super) const DESCRIPTION: &str = "rpc.describe";

/// A hash of a body, as text for a strong validator. It protects nothing secret, so a fast 128-bit
/// hash is enough.
pub(crate) fn hash(body: &[u8]) -> String {
    format!("{:032x}", XxHash3_128::oneshot(body))
}

/// A strong validator (RFC 9110, section 8.8.3), in its quotes.
#[derive(Debug, Clone)]
pub(crate) struct Tag(String);

impl Tag {
    /// A validator of such characters as a [hash] has.
    pub(super) fn new(text: &str) -> Self {
        Self(format!("\"{text}\""))
    }

    /// Whether a caller has what this stands for, by the weak comparison that `If-None-Match` asks
    /// for.
    pub(crate) fn is_known(&self, headers: &Headers) -> bool {
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

/// Whom an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// All callers without credentials.
    All,
    /// All callers that the guards accept, as declared by the procedure.
    Admitted,
    /// The one who asked.
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

    /// For how long an answer may be used without asking again, and by whom.
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

/// The same for responses that reveal descriptions: they are private if not everyone may see all of
/// them.
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

/// What a response to GET depends on besides its address: the accepted codings, what the guards
/// read, and whether there are credentials. With credentials it is private, so a cache must not mix
/// the two. If all accepted callers get the same response, only cookies and the credentials that a
/// guard reads matter.
pub(super) fn vary_of(reply: &Reply) -> Value {
    if reply.is_shared() {
        vary("Accept-Encoding, Cookie", reply.fields())
    } else {
        vary("Accept-Encoding, Authorization, Cookie", reply.fields())
    }
}

/// `Vary` with some fields and others, each once.
pub(crate) fn vary<'f>(fields: &'static str, others: impl IntoIterator<Item = &'f str>) -> Value {
    let mut all = Cow::Borrowed(fields);
    for other in others {
        if !names(all.split(", "), other) {
            let comma = if all.is_empty() { "" } else { ", " };
            all = Cow::Owned(format!("{all}{comma}{other}"));
        }
    }
    // Names of fields are checked by `build()`; the fallback has every cache ask again.
    if is_value(&all) { all } else { "*".into() }
}

/// The fields that descriptions depend on, where guards stand before them.
pub(crate) fn fields_of_descriptions<'s>(
    services: impl IntoIterator<Item = &'s Service>,
) -> impl Iterator<Item = &'s str> {
    let services = services.into_iter();
    services.flat_map(|service| service.fields(DESCRIPTION))
}

fn names<'f>(mut fields: impl Iterator<Item = &'f str>, name: &str) -> bool {
    fields.any(|field| field.eq_ignore_ascii_case(name))
}
