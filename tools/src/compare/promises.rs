//! Compares a procedure's limits, caching and repeatability, and whether its description is
//! checked.

use std::cmp::Ordering;
use std::fmt::Display;

use docent_describe::{CachePolicy, ProcedureDescription, RateKey, RateLimit};

use super::change::Document;
use super::pairs::Both;
use super::phrase::{Phrase, PhraseValue, phrase};
use super::report::Report;
use super::rule::{Rule, Words};

pub(super) fn compare((old, new): Both<'_, ProcedureDescription>, report: &mut Report<'_, '_>) {
    let limits = |procedure: &ProcedureDescription| procedure.limits.clone().unwrap_or_default();
    let (before, after) = (limits(old), limits(new));
    concurrent(before.concurrent, after.concurrent, report);
    if before.rate != after.rate {
        rate(before.rate.as_ref(), after.rate.as_ref(), report);
    }
    match (&old.unchecked, &new.unchecked) {
        (None, Some(_)) => report.now(Rule::Unchecked, "unchecked", &[]),
        (Some(_), None) => report.gone(Rule::Checked, "unchecked", &[]),
        _ => {}
    }
    let policy = |procedure: &ProcedureDescription| procedure.cache.clone().unwrap_or_default();
    cache(&policy(old), &policy(new), report);
    repeatable(old, new, report);
}

fn concurrent(old: Option<u64>, new: Option<u64>, report: &mut Report<'_, '_>) {
    let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let rule = match most(new).cmp(&most(old)) {
        Ordering::Less => Rule::LimitLowered,
        Ordering::Greater => Rule::LimitRaised,
        Ordering::Equal => return,
    };
    let calls = |limit: Option<u64>| match limit {
        Some(limit) => PhraseValue::Literal(limit.to_string()),
        None => phrase("change.limit.concurrent.any", &[]).into(),
    };
    let message = phrase("change.limit.concurrent", &[])
        .and(calls(new))
        .and(calls(old));
    report.told(rule, Document::New, "limits/concurrent", message);
}

fn rate(old: Option<&RateLimit>, new: Option<&RateLimit>, report: &mut Report<'_, '_>) {
    let message = phrase("change.limit.rate", &[])
        .and(calls(new))
        .and(calls(old));
    let rule = match (old, new) {
        (Some(_), None) => {
            report.told(Rule::LimitRaised, Document::Old, "limits/rate", message);
            return;
        }
        (Some(old), Some(new)) if old.by != new.by => Rule::LimitChanged,
        (Some(old), Some(new)) if new.calls >= old.calls && new.per <= old.per => Rule::LimitRaised,
        (Some(old), Some(new)) if new.calls > old.calls || new.per < old.per => Rule::LimitChanged,
        _ => Rule::LimitLowered,
    };
    report.told(rule, Document::New, "limits/rate", message);
}

fn calls(rate: Option<&RateLimit>) -> Phrase {
    let Some(rate) = rate else {
        return phrase("change.limit.rate.any", &[]);
    };
    let key = match rate.by {
        RateKey::Caller => "change.limit.rate.caller",
        RateKey::Peer => "change.limit.rate.peer",
    };
    phrase(key, &[&rate.calls, &rate.per.as_secs_f64()])
}

fn cache(old: &CachePolicy, new: &CachePolicy, report: &mut Report<'_, '_>) {
    // If there is no cache policy any more, only the old description has a place for it.
    let is_gone = *new == CachePolicy::default();
    let mut tell = |words: Words, values: &[&dyn Display]| {
        if is_gone {
            report.gone(words, "cache", values);
        } else {
            report.now(words, "cache", values);
        }
    };
    let (now, was) = (new.max_age.as_secs_f64(), old.max_age.as_secs_f64());
    match new.max_age.cmp(&old.max_age) {
        Ordering::Less => tell((Rule::CacheAgeLowered, "change.cache.age"), &[&now, &was]),
        Ordering::Greater => tell((Rule::CacheAgeRaised, "change.cache.age"), &[&now, &was]),
        Ordering::Equal => {}
    }
    if old.shared && !new.shared {
        tell(Rule::CacheUnshared.into(), &[]);
    } else if new.shared && !old.shared {
        tell(Rule::CacheShared.into(), &[]);
    }
}

fn repeatable(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_, '_>) {
    match (old.repeatable, new.repeatable) {
        (Some(_), None) => report.gone(Rule::RepeatableWithdrawn, "repeatable", &[]),
        (None, Some(time)) => {
            let seconds = time.as_secs_f64();
            report.now(Rule::RepeatableGranted, "repeatable", &[&seconds]);
        }
        (Some(old), Some(new)) if old != new => {
            let rule = if new < old {
                Rule::RepeatableShortened
            } else {
                Rule::RepeatableGranted
            };
            let (now, was) = (new.as_secs_f64(), old.as_secs_f64());
            let words = (rule, "change.repeatable.time");
            report.now(words, "repeatable", &[&now, &was]);
        }
        _ => {}
    }
}
