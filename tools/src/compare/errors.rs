//! Compares the errors that a procedure declares.
//!
//! Clients know an error by its code, and errors that share a code by their messages. So a message is documentation
//! where its code is its own, and part of the contract where it is not.

use docent_describe::{ErrorDescription, ProcedureDescription};

use super::pairs::{Paired, paired};
use super::report::ChangeReporter;
use super::rule::Rule;
use super::values::SchemaUse;

/// Compares the lists of errors, and whether they are complete. Where any error could be answered, one more in the list
/// is nothing new to callers.
pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let rules = [Rule::ErrorsOpened, Rule::ErrorsClosed];
    report.switched((old.errors_open, new.errors_open), "errorsOpen", &[], rules);
    // Several errors may have the same code. Those with the same message come first.
    let pairs = paired(&old.errors, &new.errors, 2, |attempt, error, other| {
        other.code == error.code && (attempt > 0 || other.message == error.message)
    });
    for pair in pairs {
        let mut report = report.item("errors", pair);
        match pair {
            Paired::Kept { before, after } => {
                let error = &old.errors[before];
                let changed = &new.errors[after];
                compare_texts(error, changed, shares_code(error, old), &mut report);
                compare_error(error, changed, &mut report);
            }
            Paired::Removed(before) => {
                let error = &old.errors[before];
                report.removed(Rule::ErrorRemoved, "", &[&error.code, &error.message]);
            }
            Paired::Added(after) => {
                let error = &new.errors[after];
                // A client that knows one error of this code takes this one for it.
                let is_known = old.errors.iter().any(|old| old.code == error.code);
                let sentence = if old.errors_open && !is_known {
                    Rule::ErrorDescribed.told_as("change.error.added")
                } else {
                    Rule::ErrorAdded.told_as("change.error.added")
                };
                report.changed(sentence, "", &[&error.code, &error.message]);
            }
        }
    }
}

/// Returns whether clients need the message of an error to tell it from others of the same code.
fn shares_code(error: &ErrorDescription, procedure: &ProcedureDescription) -> bool {
    let mut others = procedure.errors.iter();
    others.any(|other| other.code == error.code && other.message != error.message)
}

/// Compares what an error is beside its texts: its status, whether the call may be repeated, and its data.
fn compare_error<'j>(
    old: &'j ErrorDescription,
    new: &'j ErrorDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let code = &new.code;
    let was = old.status.unwrap_or(500);
    let now = new.status.unwrap_or(500);
    if now != was {
        report.changed(Rule::ErrorStatusChanged, "", &[code, &now, &was]);
    }
    if new.retry != old.retry {
        let rule = match old.retry {
            Some(true) => Rule::RetryWithdrawn,
            _ => Rule::RetryGranted,
        };
        report.changed(rule, "", &[code]);
    }
    match (&old.data, &new.data) {
        (Some(old), Some(new)) => {
            report
                .member("data")
                .compare_schemas(old, new, &SchemaUse::ErrorData(*code));
        }
        (Some(_), None) => report.removed(Rule::ErrorDataRemoved, "data", &[code]),
        (None, Some(_)) => report.changed(Rule::ErrorDataAdded, "data", &[code]),
        (None, None) => {}
    }
}

/// Compares the message and the documentation of an error.
fn compare_texts(
    old: &ErrorDescription,
    new: &ErrorDescription,
    shares_code: bool,
    report: &mut ChangeReporter<'_, '_>,
) {
    let code = &new.code;
    let is_reworded = old.message != new.message;
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if is_reworded && shares_code {
        let rule = Rule::ErrorMessageChanged;
        report.changed(rule, "message", &[code, &new.message, &old.message]);
    } else if is_reworded || old.description != new.description || have_others {
        let sentence = Rule::WordsChanged.told_as("change.error.words");
        report.changed(sentence, "", &[code]);
    }
}
