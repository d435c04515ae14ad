//! Compares what a procedure promises about its calls: limits, caching and repeatability, and whether its
//! description is checked.

use std::cmp::Ordering;
use std::fmt::Display;

use docent_describe::{CachePolicy, ProcedureDescription, RateKey, RateLimit};

use super::change::Document;
use super::phrase::{Phrase, PhraseValue, phrase};
use super::report::ChangeReporter;
use super::rule::{Rule, RuleSentence};

/// Compares all promises of a procedure.
pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let before = old.limits.clone().unwrap_or_default();
    let after = new.limits.clone().unwrap_or_default();
    compare_concurrent(before.concurrent, after.concurrent, report);
    if before.rate != after.rate {
        compare_rates(before.rate.as_ref(), after.rate.as_ref(), report);
    }
    match (&old.unchecked, &new.unchecked) {
        (None, Some(_)) => report.changed(Rule::Unchecked, "unchecked", &[]),
        (Some(_), None) => report.removed(Rule::Checked, "unchecked", &[]),
        _ => {}
    }
    compare_caching(
        &old.cache.clone().unwrap_or_default(),
        &new.cache.clone().unwrap_or_default(),
        report,
    );
    compare_repeatable(old, new, report);
}

/// Compares the limits on calls at the same time.
fn compare_concurrent(old: Option<u64>, new: Option<u64>, report: &mut ChangeReporter<'_, '_>) {
    // No limit is the highest one.
    let was = old.unwrap_or(u64::MAX);
    let rule = match new.unwrap_or(u64::MAX).cmp(&was) {
        Ordering::Less => Rule::LimitLowered,
        Ordering::Greater => Rule::LimitRaised,
        Ordering::Equal => return,
    };
    let message = phrase("change.limit.concurrent", &[])
        .and(concurrent_calls(new))
        .and(concurrent_calls(old));
    report.add(rule, Document::New, "limits/concurrent", message);
}

/// Returns a limit as a value in a sentence.
fn concurrent_calls(limit: Option<u64>) -> PhraseValue {
    match limit {
        Some(limit) => PhraseValue::Literal(limit.to_string()),
        None => phrase("change.limit.concurrent.any", &[]).into(),
    }
}

/// Compares how often a procedure may be called. More calls in less time are more in any case; otherwise it depends on
/// the caller.
fn compare_rates(
    old: Option<&RateLimit>,
    new: Option<&RateLimit>,
    report: &mut ChangeReporter<'_, '_>,
) {
    let message = phrase("change.limit.rate", &[])
        .and(calls_in_time(new))
        .and(calls_in_time(old));
    let rule = match (old, new) {
        (Some(_), None) => {
            report.add(Rule::LimitRaised, Document::Old, "limits/rate", message);
            return;
        }
        // A limit for each caller and one for each peer cannot be compared.
        (Some(old), Some(new)) if old.by != new.by => Rule::LimitChanged,
        (Some(old), Some(new)) if new.calls >= old.calls && new.per <= old.per => Rule::LimitRaised,
        (Some(old), Some(new)) if new.calls > old.calls || new.per < old.per => Rule::LimitChanged,
        _ => Rule::LimitLowered,
    };
    report.add(rule, Document::New, "limits/rate", message);
}

/// Returns a rate as a value in a sentence.
fn calls_in_time(rate: Option<&RateLimit>) -> Phrase {
    let Some(rate) = rate else {
        return phrase("change.limit.rate.any", &[]);
    };
    let key = match rate.by {
        RateKey::Caller => "change.limit.rate.caller",
        RateKey::Peer => "change.limit.rate.peer",
    };
    phrase(key, &[&rate.calls, &rate.per.as_secs_f64()])
}

/// Compares for how long a result may be reused, and by whom.
fn compare_caching(old: &CachePolicy, new: &CachePolicy, report: &mut ChangeReporter<'_, '_>) {
    let was = old.max_age.as_secs_f64();
    let now = new.max_age.as_secs_f64();
    match new.max_age.cmp(&old.max_age) {
        Ordering::Less => {
            let sentence = Rule::CacheAgeLowered.sentence("change.cache.age");
            add_cache_change(sentence, &[&now, &was], new, report);
        }
        Ordering::Greater => {
            let sentence = Rule::CacheAgeRaised.sentence("change.cache.age");
            add_cache_change(sentence, &[&now, &was], new, report);
        }
        Ordering::Equal => {}
    }
    match (old.shared, new.shared) {
        (true, false) => add_cache_change(Rule::CacheUnshared, &[], new, report),
        (false, true) => add_cache_change(Rule::CacheShared, &[], new, report),
        _ => {}
    }
}

/// Adds a change of the cache policy. If there is none any more, only the old description has a place for it.
fn add_cache_change(
    rule: impl Into<RuleSentence>,
    values: &[&dyn Display],
    new: &CachePolicy,
    report: &mut ChangeReporter<'_, '_>,
) {
    if *new == CachePolicy::default() {
        report.removed(rule, "cache", values);
    } else {
        report.changed(rule, "cache", values);
    }
}

/// Compares for how long a call may be repeated with its key.
fn compare_repeatable(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    match (old.repeatable, new.repeatable) {
        (Some(_), None) => report.removed(Rule::RepeatableWithdrawn, "repeatable", &[]),
        (None, Some(time)) => {
            let seconds = time.as_secs_f64();
            report.changed(Rule::RepeatableGranted, "repeatable", &[&seconds]);
        }
        (Some(old), Some(new)) if old != new => {
            let rule = if new < old {
                Rule::RepeatableShortened
            } else {
                Rule::RepeatableGranted
            };
            let sentence = rule.sentence("change.repeatable.time");
            let was = old.as_secs_f64();
            let now = new.as_secs_f64();
            report.changed(sentence, "repeatable", &[&now, &was]);
        }
        _ => {}
    }
}
