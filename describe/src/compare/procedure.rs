//! What is said of one procedure.

use super::values::{Site, Values};
use super::{Report, Rule, access, errors, params, promises};
use crate::json::Json;
use crate::{Deprecation, ProcedureDescription, ReturnDescription};

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut Values<'j>,
    report: &mut Report<'_>,
) {
    switches(old, new, report);
    access::compare(old, new, report);
    promises::compare(old, new, report);
    params::compare(old, new, values, report);
    returns(old, new, values, report);
    errors::compare(old, new, values, report);
    words(old, new, report);
}

/// The name under which a description keeps that OpenRPC asks for positions.
const STRUCTURE: &str = "$paramStructure";

fn switches(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_>) {
    let mut switch =
        |before: bool, after: bool, member: &str, on: (Rule, &str), off: (Rule, &str)| match (
            before, after,
        ) {
            (false, true) => report.now(on.0, &[&member], on.1),
            (true, false) => report.now(off.0, &[], off.1),
            _ => {}
        };
    switch(
        old.idempotent,
        new.idempotent,
        "idempotent",
        (
            Rule::IdempotencyGranted,
            "It is idempotent now, so GET is accepted.",
        ),
        (
            Rule::IdempotencyWithdrawn,
            "It is no longer idempotent, so GET is refused.",
        ),
    );
    switch(
        old.notification,
        new.notification,
        "notification",
        (
            Rule::NotificationOn,
            "It is meant to be called as a notification now.",
        ),
        (
            Rule::NotificationOff,
            "It is no longer meant to be called as a notification.",
        ),
    );
    switch(
        old.by_name_only && !old.params.is_empty(),
        new.by_name_only && !old.params.is_empty(),
        "byNameOnly",
        (
            Rule::ByNameOnly,
            "Parameters can no longer be passed by position.",
        ),
        (
            Rule::ByNameOnlyLifted,
            "Parameters can be passed by position too.",
        ),
    );
    let is_positional = |procedure: &ProcedureDescription| {
        let structure = procedure.extensions.get(STRUCTURE).and_then(Json::as_str);
        structure == Some("by-position")
    };
    switch(
        is_positional(old),
        is_positional(new),
        STRUCTURE,
        (
            Rule::ByPositionOnly,
            "Parameters can no longer be passed by name.",
        ),
        (
            Rule::ByPositionOnlyLifted,
            "Parameters can be passed by name too.",
        ),
    );
    deprecation(old.deprecated.as_ref(), new.deprecated.as_ref(), report);
}

fn deprecation(old: Option<&Deprecation>, new: Option<&Deprecation>, report: &mut Report<'_>) {
    match (old, new) {
        (None, Some(_)) => report.now(Rule::Deprecated, &[&"deprecated"], "It is deprecated."),
        (Some(_), None) => report.now(Rule::Undeprecated, &[], "It is no longer deprecated."),
        (Some(old), Some(new)) if old != new => {
            let message = "What is said about its deprecation changed.";
            report.now(Rule::WordsChanged, &[&"deprecated"], message);
        }
        _ => {}
    }
}

fn returns<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut Values<'j>,
    report: &mut Report<'_>,
) {
    match (&old.returns, &new.returns) {
        (Some(_), None) => {
            let message = "The result is no longer described.";
            report.gone(Rule::ReturnRemoved, &[&"return"], message);
        }
        (None, Some(_)) => {
            report.now(
                Rule::ReturnDescribed,
                &[&"return"],
                "The result is described.",
            );
        }
        (Some(old), Some(new)) => {
            values.compare(
                (&old.schema, report.old.join("return").join("schema")),
                (&new.schema, report.new.join("return").join("schema")),
                &Site::Return,
                report,
            );
            if values.is_unchanged(&old.schema, &new.schema) && old.type_code != new.type_code {
                let (new, old) = (new.type_code, old.type_code);
                let message = format_args!("The type of the result is `{new}`, was `{old}`.");
                report.now(Rule::TypeWordChanged, &[&"return", &"type"], message);
            }
            let words = |returns: &ReturnDescription| {
                (returns.description.clone(), returns.extensions.clone())
            };
            if words(old) != words(new) {
                let message = "The documentation of the result changed.";
                report.now(Rule::WordsChanged, &[&"return"], message);
            }
        }
        (None, None) => {}
    }
}

fn words(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_>) {
    let words = |procedure: &ProcedureDescription| {
        let mut extensions = procedure.extensions.clone();
        extensions.shift_remove(STRUCTURE);
        let texts = [&procedure.summary, &procedure.description, &procedure.help];
        (texts.map(Clone::clone), procedure.tags.clone(), extensions)
    };
    if words(old) != words(new) {
        report.now(Rule::WordsChanged, &[], "The documentation changed.");
    }
    if old.examples != new.examples {
        report.now(
            Rule::ExamplesChanged,
            &[&"examples"],
            "The examples changed.",
        );
    }
}
