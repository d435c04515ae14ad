//! Reads the limits of a procedure and of its results, which both formats write alike.
//!
//! A limit that makes no sense, such as no calls at all, is left out with a warning.

use std::time::Duration;

use super::fields::{MemberReader, wrong};
use docent_describe::{CachePolicy, ProcedureLimits, RateKey, RateLimit};

/// Reads the limits of a procedure from a member.
pub(super) fn limits(fields: &mut MemberReader<'_>, name: &str) -> Option<ProcedureLimits> {
    fields.inside(name, |fields| {
        let mut limits = ProcedureLimits::default();
        limits.concurrent = count(fields, "concurrent");
        limits.rate = fields.inside("rate", rate);
        (limits != ProcedureLimits::default()).then_some(limits)
    })
}

/// Takes a rate, which needs all of its parts.
fn rate(fields: &mut MemberReader<'_>) -> Option<RateLimit> {
    let calls = count(fields, "calls");
    let per = time(fields, "per", true);
    let by = fields.choice("by", RateKey::from_name);
    let (Some(calls), Some(per), Some(by)) = (calls, per, by) else {
        return fields.at.leave_out("a rate needs `calls`, `per` and `by`");
    };
    Some(RateLimit::new(calls, per, by))
}

/// Takes an integer of at least 1.
fn count(fields: &mut MemberReader<'_>, name: &str) -> Option<u64> {
    let value = fields.present(name)?;
    let count = value.as_i64().filter(|count| *count > 0);
    count
        .and_then(|count| count.try_into().ok())
        .or_else(|| wrong(&fields.at.inside(name), "an integer of at least 1", &value))
}

/// Reads the time for which caches may use a result.
pub(super) fn cache(fields: &mut MemberReader<'_>, name: &str) -> Option<CachePolicy> {
    fields.inside(name, |fields| {
        let mut policy = CachePolicy::default();
        policy.max_age = time(fields, "maxAge", false).unwrap_or_default();
        policy.shared = fields.flag("shared");
        Some(policy)
    })
}

/// Reads the time for which a call with a key can be repeated.
pub(super) fn repeatable(fields: &mut MemberReader<'_>, name: &str) -> Option<Duration> {
    fields.inside(name, |fields| time(fields, "for", true))
}

/// Takes a time in seconds.
fn time(fields: &mut MemberReader<'_>, name: &str, must_pass: bool) -> Option<Duration> {
    let value = fields.present(name)?;
    let time = value
        .as_number()
        .and_then(|text| Duration::try_from_secs_f64(text.parse().ok()?).ok())
        .filter(|time| !must_pass || !time.is_zero());
    let expected = if must_pass {
        "a number of seconds above 0"
    } else {
        "a number of seconds from 0"
    };
    time.or_else(|| wrong(&fields.at.inside(name), expected, &value))
}
