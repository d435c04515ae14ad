//! What a procedure promises beyond its types: limits, caching, repeating, and whether its
//! description is checked.

use std::time::Duration;

use super::{Report, Rule};
use crate::{CachePolicy, ProcedureDescription, ProcedureLimits, RateLimit};

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
            let message = "The description is no longer checked.";
            report.now(Rule::Unchecked, &[&"unchecked"], message);
        }
        (Some(_), None) => {
            let message = "The description is checked now.";
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
    // Where caches are told nothing any more, the old description has the place.
    let mut tell = |rises: bool, raised: Rule, lowered: Rule, message: String| {
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
        let message = format!("A result may be {now} s old, was {was} s.");
        let (raised, lowered) = (Rule::CacheAgeRaised, Rule::CacheAgeLowered);
        tell(after > before, raised, lowered, message);
    }
    if old.shared != new.shared {
        let word = if new.shared { "may" } else { "may no longer" };
        let message = format!("Caches {word} give a result to other callers.");
        let (raised, lowered) = (Rule::CacheShared, Rule::CacheUnshared);
        tell(new.shared, raised, lowered, message);
    }
}

fn repeatable(old: Option<Duration>, new: Option<Duration>, report: &mut Report<'_>) {
    let place: [&dyn std::fmt::Display; 1] = [&"repeatable"];
    let seconds = |time: Duration| time.as_secs_f64();
    match (old, new) {
        (Some(_), None) => {
            let message = "Calls with a key can no longer be repeated.";
            report.gone(Rule::RepeatableWithdrawn, &place, message);
        }
        (None, Some(time)) => {
            let message = format_args!("Calls with a key can be repeated for {} s.", seconds(time));
            report.now(Rule::RepeatableGranted, &place, message);
        }
        (Some(old), Some(new)) if old != new => {
            let rule = if new < old {
                Rule::RepeatableShortened
            } else {
                Rule::RepeatableGranted
            };
            let (now, was) = (seconds(new), seconds(old));
            let message =
                format_args!("Calls with a key can be repeated for {now} s, was {was} s.");
            report.now(rule, &place, message);
        }
        _ => {}
    }
}

fn limits(old: &ProcedureLimits, new: &ProcedureLimits, report: &mut Report<'_>) {
    let place: [&dyn std::fmt::Display; 2] = [&"limits", &"concurrent"];
    let calls =
        |limit: Option<u64>| limit.map_or("any number of".to_owned(), |limit| limit.to_string());
    let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let (before, after) = (most(old.concurrent), most(new.concurrent));
    if before != after {
        let rule = if after < before {
            Rule::LimitLowered
        } else {
            Rule::LimitRaised
        };
        let message = format_args!(
            "It accepts {} calls at the same time, was {}.",
            calls(new.concurrent),
            calls(old.concurrent)
        );
        report.now(rule, &place, message);
    }
    let place: [&dyn std::fmt::Display; 2] = [&"limits", &"rate"];
    match (&old.rate, &new.rate) {
        (Some(before), Some(after)) if before != after => {
            let message = format_args!("It accepts {}, was {}.", rate(after), rate(before));
            report.now(rates(before, after), &place, message);
        }
        (None, Some(after)) => {
            let message = format_args!("It accepts {}, was any number of calls.", rate(after));
            report.now(Rule::LimitLowered, &place, message);
        }
        (Some(before), None) => {
            let message = format_args!("It accepts any number of calls, was {}.", rate(before));
            report.gone(Rule::LimitRaised, &place, message);
        }
        _ => {}
    }
}

fn rate(rate: &RateLimit) -> String {
    let (calls, per, by) = (rate.calls, rate.per.as_secs_f64(), rate.by.as_str());
    format!("{calls} calls in {per} s by each {by}")
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
