//! Compares the errors that a procedure declares.
//!
//! Clients know an error by its code, and errors that share a code by their messages. So a message is documentation
//! where its code is its own, and part of the contract where it is not.

use docent_describe::{ErrorDescription, ProcedureDescription};

use super::pairs::{Paired, Partners};
use super::report::ChangeReporter;
use super::rule::Rule;
use super::values::SchemaUse;

/// Compares the lists of errors, and whether they are complete. If a procedure could answer with any error, one more in
/// the list is nothing new to callers.
pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    report.switched(
        "errorsOpen",
        old.errors_open,
        new.errors_open,
        &[],
        [Rule::ErrorsOpened, Rule::ErrorsClosed],
    );
    // Several errors may have the same code. Those with the same message are paired first.
    let mut partners = Partners::new(old.errors.len(), new.errors.len());
    partners.join_if(|before, after| {
        let error = &old.errors[before];
        let other = &new.errors[after];
        other.code == error.code && other.message == error.message
    });
    partners.join_if(|before, after| new.errors[after].code == old.errors[before].code);
    for pair in partners.into_pairs() {
        let mut report = report.item("errors", pair);
        match pair {
            Paired::Both { before, after } => {
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
                    Rule::ErrorDescribed.sentence("change.error.added")
                } else {
                    Rule::ErrorAdded.sentence("change.error.added")
                };
                report.changed(sentence, "", &[&error.code, &error.message]);
            }
        }
    }
}

/// Returns whether clients need the message of an error to distinguish it from others of the same code.
fn shares_code(error: &ErrorDescription, procedure: &ProcedureDescription) -> bool {
    procedure
        .errors
        .iter()
        .any(|other| other.code == error.code && other.message != error.message)
}

/// Compares what an error is beside its texts: its status, whether the call may be repeated, and its data.
fn compare_error<'j>(
    old: &'j ErrorDescription,
    new: &'j ErrorDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let code = &new.code;
    let old_status = old.status.unwrap_or(500);
    let new_status = new.status.unwrap_or(500);
    if new_status != old_status {
        report.changed(
            Rule::ErrorStatusChanged,
            "",
            &[code, &new_status, &old_status],
        );
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
        report.changed(
            Rule::ErrorMessageChanged,
            "message",
            &[code, &new.message, &old.message],
        );
    } else if is_reworded || old.description != new.description || have_others {
        report.changed(
            Rule::WordsChanged.sentence("change.error.words"),
            "",
            &[code],
        );
    }
}
