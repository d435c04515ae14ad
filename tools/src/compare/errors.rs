//! Compares the errors that a procedure declares.

use super::phrase::{Phrase, phrase};
use super::values::{SchemaComparison, SchemaUse};
use super::{Report, Rule, paired};
use docent_describe::{ErrorDescription, ProcedureDescription};

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut SchemaComparison<'j>,
    report: &mut Report<'_>,
) {
    report.switched(
        (old.errors_open, new.errors_open),
        &[&"errorsOpen"],
        (Rule::ErrorsOpened, phrase("change.errors.opened")),
        (Rule::ErrorsClosed, phrase("change.errors.closed")),
    );
    // Several errors may have the same code. Those with the same message come first.
    let pairs = paired(&old.errors, &new.errors, 2, |attempt, error, other| {
        other.code == error.code && (attempt > 0 || other.message == error.message)
    });
    for (at, error) in old.errors.iter().enumerate() {
        if !pairs.iter().any(|(before, _)| *before == at) {
            let message = about(error, "change.error.gone");
            report.gone(Rule::ErrorRemoved, &[&"errors", &at], message);
        }
    }
    for (at, error) in new.errors.iter().enumerate() {
        let Some((before, _)) = pairs.iter().find(|(_, after)| *after == at) else {
            let is_known = old.errors_open || old.errors.iter().any(|old| old.code == error.code);
            let rule = if is_known {
                Rule::ErrorDescribed
            } else {
                Rule::ErrorAdded
            };
            let message = about(error, "change.error.added");
            report.now(rule, &[&"errors", &at], message);
            continue;
        };
        each(&old.errors[*before], error, (*before, at), values, report);
    }
}

fn about(error: &ErrorDescription, key: &'static str) -> Phrase {
    phrase(key).with(error.code).with(&error.message)
}

fn each<'j>(
    old: &'j ErrorDescription,
    new: &'j ErrorDescription,
    (before, at): (usize, usize),
    values: &mut SchemaComparison<'j>,
    report: &mut Report<'_>,
) {
    let code = new.code;
    if old.status != new.status {
        let status = |status: Option<u16>| status.unwrap_or(500);
        let (now, was) = (status(new.status), status(old.status));
        if now != was {
            let message = phrase("change.error.status");
            let message = message.with(code).with(now).with(was);
            report.now(Rule::ErrorStatusChanged, &[&"errors", &at], message);
        }
    }
    if old.retry != new.retry {
        let (rule, key) = if old.retry == Some(true) {
            (Rule::RetryWithdrawn, "change.error.retry.not")
        } else {
            (Rule::RetryGranted, "change.error.retry")
        };
        report.now(rule, &[&"errors", &at], phrase(key).with(code));
    }
    match (&old.data, &new.data) {
        (Some(old), Some(new)) => values.compare(
            (old, report.old.join("errors").join(before).join("data")),
            (new, report.new.join("errors").join(at).join("data")),
            &SchemaUse::ErrorData(code),
            report,
        ),
        (Some(_), None) => {
            let message = phrase("change.error.data.gone").with(code);
            report.gone(
                Rule::ErrorDataRemoved,
                &[&"errors", &before, &"data"],
                message,
            );
        }
        (None, Some(_)) => {
            let message = phrase("change.error.data.added").with(code);
            report.now(Rule::ErrorDataAdded, &[&"errors", &at, &"data"], message);
        }
        (None, None) => {}
    }
    let words = |error: &ErrorDescription| {
        let texts = (error.message.clone(), error.description.clone());
        (texts, error.extensions.clone())
    };
    if words(old) != words(new) {
        let message = phrase("change.error.words").with(code);
        report.now(Rule::WordsChanged, &[&"errors", &at], message);
    }
}
