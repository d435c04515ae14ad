//! Caching (RFC 9110 and 9111): validators, ages, and who may store a response.
//!
//! A response may be shared only as far as guards and credentials allow. All decisions about that
//! are here; validators for codings are in [`coding`](crate::coding).

use std::borrow::Cow;
use std::time::Duration;

use docent_core::__private::hexadecimal;
use docent_core::Service;
use docent_core::carrier::{QueryVersion, Reply};
use hmac_sha256::Hash as Sha256;
use twox_hash::XxHash3_128;

use crate::headers::{Headers, Value, is_value};
use crate::options::seconds;

/// The procedure that returns the description. Its callers may see everything that reveals the
/// description.
pub(crate) const DESCRIPTION_PROCEDURE: &str = "rpc.describe";

/// The fields that a response to GET depends on if it may be for one caller only.
const FIELDS_OF_CALLERS: &str = "Accept-Encoding, Authorization, Cookie";

/// A hash of a body, as text for a strong validator. It protects no secret, so a fast 128-bit hash is
/// enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash([u8; 32]);

impl Hash {
    pub(crate) fn new(body: &[u8]) -> Self {
        Self(hexadecimal(&XxHash3_128::oneshot(body).to_be_bytes()))
    }

    /// Returns the hash that stands for all results of a version, of a service whose description has this hash: another
    /// release may write the same version differently. No body has it.
    pub(crate) fn of_version(&self, version: &str) -> Self {
        self.and("version").and(version)
    }

    /// Returns the hash of a text that also depends on this one.
    pub(crate) fn and(&self, other: &str) -> Self {
        Self::new(&[&self.0, other.as_bytes()].concat())
    }

    fn as_str(&self) -> &str {
        // The bytes are hexadecimal digits.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A strong validator (RFC 9110, section 8.8.3), with its quotes.
#[derive(Debug, Clone)]
pub(crate) struct Tag(String);

impl Tag {
    /// Creates a validator from the hash of a text and the name of its coding.
    pub(crate) fn new(hash: &Hash, coding: &str) -> Self {
        let mut tag = String::with_capacity(hash.0.len() + coding.len() + 2);
        tag.push('"');
        tag.push_str(hash.as_str());
        tag.push_str(coding);
        tag.push('"');
        Self(tag)
    }

    /// Returns whether the caller already has the representation.
    pub(crate) fn is_known(&self, headers: &Headers) -> bool {
        self.is_named(headers) || has_any(headers)
    }

    /// Returns whether the caller names this validator, by the weak comparison that `If-None-Match` requires.
    pub(crate) fn is_named(&self, headers: &Headers) -> bool {
        // Almost every client sends the one tag that it got.
        headers.get("if-none-match") == Some(self.0.as_bytes())
            || named_tags(headers).any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == self.0)
    }
}

/// Returns whether the caller has some representation, and does not say which (`If-None-Match: *`).
pub(crate) fn has_any(headers: &Headers) -> bool {
    named_tags(headers).any(|tag| tag == "*")
}

fn named_tags(headers: &Headers) -> impl Iterator<Item = &str> {
    headers
        .texts("if-none-match")
        .flat_map(|list| list.split(','))
        .map(str::trim)
}

impl From<Tag> for Value {
    fn from(tag: Tag) -> Self {
        tag.0.into()
    }
}

/// The callers that may see a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// All callers without credentials.
    All,
    /// All callers that the guards accept, as the procedure declares.
    Admitted,
    /// Only the caller that sent the request.
    One,
}

impl Audience {
    pub(crate) fn new(headers: &Headers, reply: &Reply) -> Self {
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
    pub(crate) fn control(self, age: Option<Duration>) -> Value {
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
    if services
        .into_iter()
        .any(|service| service.is_guarded(DESCRIPTION_PROCEDURE))
    {
        "private, no-cache"
    } else {
        "no-cache"
    }
}

/// Returns what a response to GET depends on besides its address: the accepted codings, what the
/// guards read, whether there are credentials, and for a subscription whether the caller takes events. A response to credentials is private, so a cache
/// must not mix the two. If all accepted callers get the same response, only cookies and the
/// credentials that a guard reads matter.
pub(crate) fn vary_of(reply: &Reply) -> Value {
    if reply.is_shared() && reply.error_code().is_none() {
        return vary("Accept-Encoding, Cookie", reply.fields());
    }
    let accept = is_of_subscription(reply).then_some("Accept");
    vary(FIELDS_OF_CALLERS, reply.fields().chain(accept))
}

/// Returns whether a subscription has been called.
pub(crate) fn is_of_subscription(reply: &Reply) -> bool {
    let procedure = reply.procedure();
    procedure.is_some_and(|procedure| procedure.subscription.is_some())
}

/// Returns the text that tells a version of a result from all others of its query: the version, if every caller
/// gets this result or the request says nothing about its caller.
///
/// Otherwise the text is a hash that also depends on the caller, and on the values of all fields that `Vary`
/// names but those that only say who the caller is, so that a new token does not change it. SHA-256 keeps
/// these values secret.
pub(crate) fn validator_of(query: &QueryVersion<'_>, headers: &Headers) -> String {
    if query.is_shared {
        return query.version.to_owned();
    }
    let mut hash = Sha256::new();
    add(&mut hash, query.version.as_bytes());
    if let Some(caller) = query.caller {
        add(&mut hash, b"caller");
        add(&mut hash, caller.id().as_bytes());
    }
    let mut is_bare = query.caller.is_none();
    for name in vary(FIELDS_OF_CALLERS, query.fields.iter().copied()).split(", ") {
        if !distinguishes(query, name) {
            continue;
        }
        for value in headers.get_all(name) {
            is_bare = false;
            add(&mut hash, b"field");
            add(&mut hash, name.as_bytes());
            add(&mut hash, value);
        }
    }
    if is_bare {
        return query.version.to_owned();
    }
    Hash::new(&hash.finalize()).as_str().to_owned()
}

/// Returns whether results may differ with a field that `Vary` names. A coding is part of the validator already,
/// and the origin of a page decides only who may read a result.
fn distinguishes(query: &QueryVersion<'_>, name: &str) -> bool {
    let caller_fields = query.caller_fields.iter().map(String::as_str);
    !names(caller_fields.chain(["Accept-Encoding", "Origin"]), name)
}

/// Adds a value to a hash, with its length, so that no two lists of values have the same hash.
fn add(hash: &mut Sha256, value: &[u8]) {
    hash.update(value.len().to_string());
    hash.update(b":");
    hash.update(value);
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
    services
        .into_iter()
        .flat_map(|service| service.fields(DESCRIPTION_PROCEDURE))
}

fn names<'f>(mut fields: impl Iterator<Item = &'f str>, name: &str) -> bool {
    fields.any(|field| field.eq_ignore_ascii_case(name))
}
