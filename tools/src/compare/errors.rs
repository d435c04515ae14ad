//! Compares the errors that a procedure declares.

use docent_describe::{ErrorDescription, ProcedureDescription};

use super::pairs::{Both, paired};
use super::report::Report;
use super::rule::Rule;
use super::values::SchemaUse;

pub(super) fn compare<'j>((old, new): Both<'j, ProcedureDescription>, report: &mut Report<'_, 'j>) {
    let rules = [Rule::ErrorsOpened, Rule::ErrorsClosed];
    report.switched((old.errors_open, new.errors_open), "errorsOpen", &[], rules);
    // Several errors may have the same code. Those with the same message come first.
    let pairs = paired(&old.errors, &new.errors, 2, |attempt, error, other| {
        other.code == error.code && (attempt > 0 || other.message == error.message)
    });
    // Clients tell errors of one code apart by their messages.
    let is_shared = |error: &ErrorDescription| {
        old.errors
            .iter()
            .any(|other| other.code == error.code && other.message != error.message)
    };
    for (before, after) in pairs {
        let mut report = report.element("errors", before.unwrap_or(0), after.unwrap_or(0));
        match (
            before.map(|at| &old.errors[at]),
            after.map(|at| &new.errors[at]),
        ) {
            (Some(before), Some(after)) => {
                words((before, after), is_shared(before), &mut report);
                each(before, after, &mut report);
            }
            (Some(error), None) => {
                report.gone(Rule::ErrorRemoved, "", &[&error.code, &error.message]);
            }
            (None, Some(error)) => {
                // A client that knows one error of this code takes this one for it.
                let is_known = old.errors.iter().any(|old| old.code == error.code);
                let words = if old.errors_open && !is_known {
                    (Rule::ErrorDescribed, "change.error.added")
                } else {
                    (Rule::ErrorAdded, "change.error.added")
                };
                report.now(words, "", &[&error.code, &error.message]);
            }
            (None, None) => {}
        }
    }
}

fn each<'j>(old: &'j ErrorDescription, new: &'j ErrorDescription, report: &mut Report<'_, 'j>) {
    let code = &new.code;
    let (now, was) = (new.status.unwrap_or(500), old.status.unwrap_or(500));
    if now != was {
        report.now(Rule::ErrorStatusChanged, "", &[code, &now, &was]);
    }
    if new.retry != old.retry {
        let rule = match old.retry {
            Some(true) => Rule::RetryWithdrawn,
            _ => Rule::RetryGranted,
        };
        report.now(rule, "", &[code]);
    }
    match (&old.data, &new.data) {
        (Some(old), Some(new)) => {
            report
                .inside("data")
                .schemas((old, new), &SchemaUse::ErrorData(*code));
        }
        (Some(_), None) => report.gone(Rule::ErrorDataRemoved, "data", &[code]),
        (None, Some(_)) => report.now(Rule::ErrorDataAdded, "data", &[code]),
        (None, None) => {}
    }
}

fn words((old, new): Both<'_, ErrorDescription>, is_shared: bool, report: &mut Report<'_, '_>) {
    let code = &new.code;
    let is_reworded = old.message != new.message;
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if is_reworded && is_shared {
        let (rule, member) = (Rule::ErrorMessageChanged, "message");
        report.now(rule, member, &[code, &new.message, &old.message]);
    } else if is_reworded || old.description != new.description || have_others {
        report.now((Rule::WordsChanged, "change.error.words"), "", &[code]);
    }
}
