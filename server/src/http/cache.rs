//! What HTTP's caches are told (RFC 9110 and 9111): validators, ages, and who may keep an answer.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::{AUTHORIZATION, COOKIE, EntityTag, Header, HeaderValue, IfNoneMatch};
use docent_core::Service;
use twox_hash::XxHash3_128;

use super::DESCRIPTION;

/// What changes with every byte of a body, as text that may stand in a strong validator. It is no
/// secret and guards nothing, so a fast hash of 128 bits is enough.
pub(crate) fn hash(body: &[u8]) -> String {
    format!("{:032x}", XxHash3_128::oneshot(body))
}

/// Whether the caller has what would be sent, by the weak comparison that `If-None-Match` asks for.
pub(crate) fn has(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => request.headers().contains_key("if-none-match"),
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|other| other.weak_eq(tag)),
        Err(_) => false,
    }
}

/// Whether a request brings credentials: what it asks for is then for the one who asked.
pub(super) fn has_credentials(request: &HttpRequest) -> bool {
    let headers = request.headers();
    headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE)
}

/// For how long an answer may be used without asking again, and by whom.
pub(super) fn control(personal: bool, age: Option<Duration>) -> HeaderValue {
    match (personal, age) {
        (false, None) => HeaderValue::from_static("no-cache"),
        (true, None) => HeaderValue::from_static("private, no-cache"),
        (false, Some(age)) => value(&format!("public, max-age={}", age.as_secs())),
        (true, Some(age)) => value(&format!("private, max-age={}", age.as_secs())),
    }
}

/// The same for what says what descriptions say: it is for the one who asked if not everybody may
/// see each of them.
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

fn value(text: &str) -> HeaderValue {
    // A number and plain words are a header's value; the fallback forbids keeping anything.
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("no-store"))
}

/// What an answer depends on beside its address: the codings that the caller takes; and with
/// credentials it is personal, so a cache must not give a caller who brings some what it keeps for
/// those who bring none.
pub(super) const VARY: &str = "Accept-Encoding, Authorization, Cookie";
