//! Compares a procedure's limits, caching and repeatability, and whether its description is
//! checked.

use std::time::Duration;

use super::phrase::{Phrase, PhraseValue, phrase};
use super::{Report, Rule};
use docent_describe::{CachePolicy, ProcedureDescription, ProcedureLimits, RateKey, RateLimit};

pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut Report<'_>,
) {
    limits(
        &old.limits.clone().unwrap_or_default(),
        &new.limits.clone().unwrap_or_default(),
        report,
    );
    match (&old.unchecked, &new.unchecked) {
        (None, Some(_)) => {
            let message = phrase("change.unchecked");
            report.now(Rule::Unchecked, &[&"unchecked"], message);
        }
        (Some(_), None) => {
            let message = phrase("change.checked");
            report.gone(Rule::Checked, &[&"unchecked"], message);
        }
        _ => {}
    }
    cache(
        &old.cache.clone().unwrap_or_default(),
        &new.cache.clone().unwrap_or_default(),
        report,
    );
    repeatable(old.repeatable, new.repeatable, report);
}

fn cache(old: &CachePolicy, new: &CachePolicy, report: &mut Report<'_>) {
    // If there is no cache policy any more, only the old description has a place for it.
    let mut tell = |rises: bool, raised: Rule, lowered: Rule, message: Phrase| {
        if rises {
            report.now(raised, &[&"cache"], message);
        } else if *new == CachePolicy::default() {
            report.gone(lowered, &[&"cache"], message);
        } else {
            report.now(lowered, &[&"cache"], message);
        }
    };
    let (before, after) = (old.max_age, new.max_age);
    if before != after {
        let (now, was) = (after.as_secs_f64(), before.as_secs_f64());
        let message = phrase("change.cache.age").with(now).with(was);
        let (raised, lowered) = (Rule::CacheAgeRaised, Rule::CacheAgeLowered);
        tell(after > before, raised, lowered, message);
    }
    if old.shared != new.shared {
        let key = if new.shared {
            "change.cache.shared"
        } else {
            "change.cache.unshared"
        };
        let (raised, lowered) = (Rule::CacheShared, Rule::CacheUnshared);
        tell(new.shared, raised, lowered, phrase(key));
    }
}

fn repeatable(old: Option<Duration>, new: Option<Duration>, report: &mut Report<'_>) {
    let place: [&dyn std::fmt::Display; 1] = [&"repeatable"];
    let seconds = |time: Duration| time.as_secs_f64();
    match (old, new) {
        (Some(_), None) => {
            let message = phrase("change.repeatable.not");
            report.gone(Rule::RepeatableWithdrawn, &place, message);
        }
        (None, Some(time)) => {
            let message = phrase("change.repeatable").with(seconds(time));
            report.now(Rule::RepeatableGranted, &place, message);
        }
        (Some(old), Some(new)) if old != new => {
            let rule = if new < old {
                Rule::RepeatableShortened
            } else {
                Rule::RepeatableGranted
            };
            let (now, was) = (seconds(new), seconds(old));
            let message = phrase("change.repeatable.time").with(now).with(was);
            report.now(rule, &place, message);
        }
        _ => {}
    }
}

fn limits(old: &ProcedureLimits, new: &ProcedureLimits, report: &mut Report<'_>) {
    let place: [&dyn std::fmt::Display; 2] = [&"limits", &"concurrent"];
    let calls = |limit: Option<u64>| PhraseValue::literal_or(limit, "change.limit.concurrent.any");
    let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let (before, after) = (most(old.concurrent), most(new.concurrent));
    if before != after {
        let rule = if after < before {
            Rule::LimitLowered
        } else {
            Rule::LimitRaised
        };
        let message = phrase("change.limit.concurrent");
        let message = message
            .and(calls(new.concurrent))
            .and(calls(old.concurrent));
        report.now(rule, &place, message);
    }
    let place: [&dyn std::fmt::Display; 2] = [&"limits", &"rate"];
    let accepts = phrase("change.limit.rate");
    let any = phrase("change.limit.rate.any");
    match (&old.rate, &new.rate) {
        (Some(before), Some(after)) if before != after => {
            let message = accepts.and(rate(after)).and(rate(before));
            report.now(rates(before, after), &place, message);
        }
        (None, Some(after)) => {
            let message = accepts.and(rate(after)).and(any);
            report.now(Rule::LimitLowered, &place, message);
        }
        (Some(before), None) => {
            let message = accepts.and(any).and(rate(before));
            report.gone(Rule::LimitRaised, &place, message);
        }
        _ => {}
    }
}

fn rate(rate: &RateLimit) -> Phrase {
    let key = match rate.by {
        RateKey::Caller => "change.limit.rate.caller",
        RateKey::Peer => "change.limit.rate.peer",
    };
    phrase(key).with(rate.calls).with(rate.per.as_secs_f64())
}

fn rates(old: &RateLimit, new: &RateLimit) -> Rule {
    if old.by != new.by {
        return Rule::LimitChanged;
    }
    let rises = new.calls >= old.calls && new.per <= old.per;
    let falls = new.calls <= old.calls && new.per >= old.per;
    match (rises, falls) {
        (true, false) => Rule::LimitRaised,
        (false, true) => Rule::LimitLowered,
        _ => Rule::LimitChanged,
    }
}
