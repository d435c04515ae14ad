//! What a procedure promises beyond its types: limits, and whether its description is checked.

use super::{Report, Rule};
use crate::{ProcedureDescription, ProcedureLimits, RateLimit};

/// The name under which a description says why it is not checked.
pub(super) const UNCHECKED: &str = "$unchecked";

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
    let is_unchecked =
        |procedure: &ProcedureDescription| procedure.extensions.contains_key(UNCHECKED);
    match (is_unchecked(old), is_unchecked(new)) {
        (false, true) => {
            let message = "The description is no longer checked.";
            report.now(Rule::Unchecked, &[&UNCHECKED], message);
        }
        (true, false) => report.now(Rule::Checked, &[], "The description is checked now."),
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
