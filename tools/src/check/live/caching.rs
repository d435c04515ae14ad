//! Checks the caching headers of responses to GET (RFC 9110, section 8.8, and RFC 9111).
//!
//! A wrong header harms callers who never see it: a cache in between stores too long, or for the wrong caller.

use super::caller::CallForm;
use super::checker::Checker;
use super::response::LiveResponse;
use crate::check::rule::Rule;

/// An ETag that no service has given.
const NEVER_GIVEN: &str = "\"docent-check-never-given\"";

/// Makes calls with GET, and reports wrong caching headers. Returns `None` if one cannot be made or has no response.
pub(super) fn caching(checker: &Checker<'_, '_>) -> Option<()> {
    let caller = checker.caller;
    let url = caller.query(checker.tested, checker.tested.usual_params().as_ref())?;
    let first = checker.get(&url, None)?;
    if first.status != 200 {
        return Some(());
    }
    if let Some(why) = wrong_age(checker, &first) {
        let message = format!("{why}, and Cache-Control is {:?}", first.cache_control);
        checker.broken(CallForm::Get, Rule::CacheControl, message);
    }
    let second = checker.get(&url, None)?;
    let is_same = first.text == second.text;
    if let (200, Some(one), Some(two)) = (second.status, &first.etag, &second.etag)
        && is_same != (one == two)
    {
        let message = if is_same {
            "equal responses have different ETags"
        } else {
            "different responses have the same ETag"
        };
        checker.broken(CallForm::Get, Rule::ETag, message);
        return Some(());
    }
    if checker.get(&url, Some(NEVER_GIVEN))?.status == 304 {
        let message = "an ETag that the service never gave was answered with 304";
        checker.broken(CallForm::Get, Rule::NotModified, message);
        return Some(());
    }
    let Some(etag) = &second.etag else {
        if caller.is_docent {
            checker.broken(CallForm::Get, Rule::ETag, "the response has no ETag");
        }
        return Some(());
    };
    let again = checker.get(&url, Some(etag))?;
    let is_same_tag = again.etag.as_ref() == Some(etag);
    let may_lack_tag = again.etag.is_none() && !caller.is_docent;
    let message = match again.status {
        304 if again.text.as_deref() != Some("") => "304 came with a body",
        304 if !is_same_tag && !may_lack_tag => "304 came with another ETag",
        200 if again.text == second.text => {
            "the current ETag was answered with the same response again instead of 304"
        }
        _ => return Some(()),
    };
    checker.broken(CallForm::Get, Rule::NotModified, message);
    Some(())
}

/// Describes what the `Cache-Control` of a response departs from: the published age, or the caches
/// that may store it. Returns `None` if it is correct.
fn wrong_age(checker: &Checker<'_, '_>, response: &LiveResponse) -> Option<String> {
    let procedure = checker.tested.procedure;
    let cache_control = response.cache_control.to_ascii_lowercase();
    let directives: Vec<&str> = cache_control.split(',').map(str::trim).collect();
    let age = directives
        .iter()
        .find_map(|directive| directive.strip_prefix("max-age=")?.parse().ok())
        .unwrap_or(0);
    let Some(cache) = &procedure.cache else {
        // Only Docent promises that nothing is stored unless an age is published.
        return (checker.caller.is_docent && age > 0).then(|| "no age is published".to_owned());
    };
    let published = cache.max_age.as_secs();
    if age != published {
        Some(format!("the age {published} is published"))
    } else if !cache.shared && procedure.reads_credentials() && directives.contains(&"public") {
        Some("it is not for shared caches".to_owned())
    } else if cache.shared && directives.contains(&"private") {
        Some("it is for shared caches".to_owned())
    } else {
        None
    }
}
