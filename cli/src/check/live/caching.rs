//! Checks the caching headers of responses to GET.

use docent_describe::json::{Decimal, Json, Object};

use super::caller::Caller;
use super::lie::Lie;
use super::response::Response;
use super::subject::Subject;
use crate::check::rule::Rule;

/// An ETag that no service has given.
const NEVER_GIVEN: &str = "\"docent-check-never-given\"";

/// Makes a call with GET, and reports wrong caching headers. Returns `None` if no more calls are
/// allowed.
pub(super) fn check(
    caller: &Caller<'_>,
    is_docent: bool,
    subject: &Subject<'_>,
    params: &Object,
    report: impl Fn(&Json, Lie),
) -> Option<()> {
    let Some(params) = subject.by_name(params) else {
        return Some(());
    };
    let Some(url) = caller.query(subject, Some(&params)) else {
        return Some(());
    };
    let get = |etag: Option<&str>| caller.get(&url, etag);
    let found = |rule, message: String| report(&params, Lie::new(rule, message));
    let first = get(None)?;
    if first.status != 200 {
        return Some(());
    }
    if let Some(message) = wrong_age(subject, &first, is_docent) {
        found(Rule::CacheControl, message);
    }
    let second = get(None)?;
    if second.status == 200
        && let Some(message) = wrong_tags(&first, &second)
    {
        found(Rule::ETag, message);
        return Some(());
    }
    let never = get(Some(NEVER_GIVEN))?;
    if never.status == 304 {
        let message = "an ETag that the service never gave was answered with 304".to_owned();
        found(Rule::NotModified, message);
        return Some(());
    }
    let Some(etag) = &second.etag else {
        if is_docent {
            found(Rule::ETag, "the response has no ETag".to_owned());
        }
        return Some(());
    };
    let again = get(Some(etag))?;
    let has_changed = again.text != second.text;
    let message = match again.status {
        304 if again.text.as_deref() != Some("") => "304 came with a body".to_owned(),
        304 if again.etag.is_none() && !is_docent => return Some(()),
        304 if again.etag.as_ref() != Some(etag) => "304 came with another ETag".to_owned(),
        200 if !has_changed => {
            "the current ETag was answered with the same response again instead of 304".to_owned()
        }
        _ => return Some(()),
    };
    found(Rule::NotModified, message);
    Some(())
}

/// Describes an error in the `Cache-Control` of a response: a wrong age, or the wrong caches. Returns
/// `None` if it is correct.
fn wrong_age(subject: &Subject<'_>, response: &Response, is_docent: bool) -> Option<String> {
    let procedure = subject.procedure;
    let said = response.cache_control.to_ascii_lowercase();
    let says = |word: &str| said.split(',').any(|it| it.trim() == word);
    let shown = super::quote::value(&Json::from(response.cache_control.as_str()));
    let age = max_age(&said);
    let Some(cache) = &procedure.cache else {
        // Only Docent promises that nothing is stored unless an age is published.
        let is_stored = is_docent && age.is_some_and(|age| age > Decimal::new("0"));
        return is_stored.then(|| format!("no age is published, and Cache-Control is {shown}"));
    };
    let published = cache.max_age.as_secs();
    if age.unwrap_or(Decimal::new("0")) != Decimal::new(&published.to_string()) {
        return Some(format!(
            "the age {published} is published, and Cache-Control is {shown}"
        ));
    }
    if !cache.shared && procedure.is_restricted() && says("public") {
        return Some(format!(
            "it is not for shared caches, and Cache-Control is {shown}"
        ));
    }
    if cache.shared && says("private") {
        return Some(format!(
            "it is for shared caches, and Cache-Control is {shown}"
        ));
    }
    None
}

/// Describes an error in the ETags of two responses. Returns `None` if they are correct.
fn wrong_tags(first: &Response, second: &Response) -> Option<String> {
    let is_same = first.text == second.text;
    match (&first.etag, &second.etag) {
        (Some(one), Some(two)) if is_same && one != two => {
            Some("equal responses have different ETags".to_owned())
        }
        (Some(one), Some(two)) if !is_same && one == two => {
            Some("different responses have the same ETag".to_owned())
        }
        _ => None,
    }
}

/// Returns the `max-age` of a `Cache-Control`, in seconds.
fn max_age(cache_control: &str) -> Option<Decimal> {
    let directives = cache_control.split(',').map(str::trim);
    let ages = directives.filter_map(|it| {
        it.to_ascii_lowercase()
            .strip_prefix("max-age=")
            .map(str::to_owned)
    });
    let mut ages = ages.filter(|age| docent_describe::json::is_number(age));
    ages.next().map(|age| Decimal::new(&age))
}
