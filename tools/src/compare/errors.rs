//! Compares the errors that a procedure declares.

use docent_describe::{ErrorDescription, ProcedureDescription};

use super::pairs::paired;
use super::phrase::phrase;
use super::report::Report;
use super::rule::Rule;
use super::values::SchemaUse;

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut Report<'_, 'j>,
) {
    report.switched(
        (old.errors_open, new.errors_open),
        "errorsOpen",
        &[],
        (Rule::ErrorsOpened, "change.errors.opened"),
        (Rule::ErrorsClosed, "change.errors.closed"),
    );
    // Several errors may have the same code. Those with the same message come first.
    let pairs = paired(&old.errors, &new.errors, 2, |attempt, error, other| {
        other.code == error.code && (attempt > 0 || other.message == error.message)
    });
    // Clients tell errors of one code apart by their messages.
    let is_shared = |error: &ErrorDescription| {
        let mut others = old.errors.iter();
        others.any(|other| other.code == error.code && other.message != error.message)
    };
    for (before, after) in pairs {
        let mut report = report.element("errors", before.unwrap_or(0), after.unwrap_or(0));
        match (
            before.map(|at| &old.errors[at]),
            after.map(|at| &new.errors[at]),
        ) {
            (Some(before), Some(after)) => {
                words(before, after, is_shared(before), &mut report);
                each(before, after, &mut report);
            }
            (Some(error), None) => {
                let message = phrase("change.error.gone", &[&error.code, &error.message]);
                report.gone(Rule::ErrorRemoved, "", message);
            }
            (None, Some(error)) => {
                // A client that knows one error of this code takes this one for it.
                let is_known = old.errors.iter().any(|old| old.code == error.code);
                let rule = if old.errors_open && !is_known {
                    Rule::ErrorDescribed
                } else {
                    Rule::ErrorAdded
                };
                let message = phrase("change.error.added", &[&error.code, &error.message]);
                report.now(rule, "", message);
            }
            (None, None) => {}
        }
    }
}

fn each<'j>(old: &'j ErrorDescription, new: &'j ErrorDescription, report: &mut Report<'_, 'j>) {
    let code = &new.code;
    let (now, was) = (new.status.unwrap_or(500), old.status.unwrap_or(500));
    if now != was {
        let message = phrase("change.error.status", &[code, &now, &was]);
        report.now(Rule::ErrorStatusChanged, "", message);
    }
    if old.retry == Some(true) && new.retry != old.retry {
        let message = phrase("change.error.retry.not", &[code]);
        report.now(Rule::RetryWithdrawn, "", message);
    } else if new.retry != old.retry {
        let message = phrase("change.error.retry", &[code]);
        report.now(Rule::RetryGranted, "", message);
    }
    match (&old.data, &new.data) {
        (Some(old), Some(new)) => {
            let mut report = report.inside("data");
            report.schemas((old, new), &SchemaUse::ErrorData(*code));
        }
        (Some(_), None) => {
            let message = phrase("change.error.data.gone", &[code]);
            report.gone(Rule::ErrorDataRemoved, "data", message);
        }
        (None, Some(_)) => {
            let message = phrase("change.error.data.added", &[code]);
            report.now(Rule::ErrorDataAdded, "data", message);
        }
        (None, None) => {}
    }
}

fn words(
    old: &ErrorDescription,
    new: &ErrorDescription,
    is_shared: bool,
    report: &mut Report<'_, '_>,
) {
    let code = &new.code;
    let is_reworded = old.message != new.message;
    if is_reworded && is_shared {
        let message = phrase("change.error.message", &[code, &new.message, &old.message]);
        report.now(Rule::ErrorMessageChanged, "message", message);
    } else if is_reworded || old.description != new.description || old.extensions != new.extensions
    {
        let message = phrase("change.error.words", &[code]);
        report.now(Rule::WordsChanged, "", message);
    }
}
