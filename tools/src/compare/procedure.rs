//! Compares two versions of a procedure.

use super::phrase::phrase;
use super::values::{SchemaComparison, SchemaUse};
use super::{Report, Rule, access, errors, params, promises};
use docent_describe::json::Json;
use docent_describe::{Deprecation, ProcedureDescription, ReturnDescription};

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut SchemaComparison<'j>,
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

/// The extension that keeps OpenRPC's `paramStructure`.
const STRUCTURE: &str = "$paramStructure";

fn switches(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_>) {
    let is_positional = |procedure: &ProcedureDescription| {
        let structure = procedure.extensions.get(STRUCTURE).and_then(Json::as_str);
        structure == Some("by-position")
    };
    let has_params = !old.params.is_empty();
    report.switched(
        (old.idempotent, new.idempotent),
        &[&"idempotent"],
        (Rule::IdempotencyGranted, phrase("change.idempotent")),
        (Rule::IdempotencyWithdrawn, phrase("change.idempotent.not")),
    );
    report.switched(
        (old.notification, new.notification),
        &[&"notification"],
        (Rule::NotificationOn, phrase("change.notification")),
        (Rule::NotificationOff, phrase("change.notification.not")),
    );
    report.switched(
        (
            old.by_name_only && has_params,
            new.by_name_only && has_params,
        ),
        &[&"byNameOnly"],
        (Rule::ByNameOnly, phrase("change.name.only")),
        (Rule::ByNameOnlyLifted, phrase("change.name.any")),
    );
    report.switched(
        (is_positional(old), is_positional(new)),
        &[&STRUCTURE],
        (Rule::ByPositionOnly, phrase("change.position.only")),
        (Rule::ByPositionOnlyLifted, phrase("change.position.any")),
    );
    deprecation(old.deprecated.as_ref(), new.deprecated.as_ref(), report);
}

fn deprecation(old: Option<&Deprecation>, new: Option<&Deprecation>, report: &mut Report<'_>) {
    match (old, new) {
        (None, Some(_)) => report.now(
            Rule::Deprecated,
            &[&"deprecated"],
            phrase("change.deprecated"),
        ),
        (Some(_), None) => report.now(Rule::Undeprecated, &[], phrase("change.undeprecated")),
        (Some(old), Some(new)) if old != new => {
            let message = phrase("change.deprecation");
            report.now(Rule::WordsChanged, &[&"deprecated"], message);
        }
        _ => {}
    }
}

fn returns<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut SchemaComparison<'j>,
    report: &mut Report<'_>,
) {
    match (&old.returns, &new.returns) {
        (Some(_), None) => {
            let message = phrase("change.return.gone");
            report.gone(Rule::ReturnRemoved, &[&"return"], message);
        }
        (None, Some(_)) => {
            report.now(
                Rule::ReturnDescribed,
                &[&"return"],
                phrase("change.return.added"),
            );
        }
        (Some(old), Some(new)) => {
            values.compare(
                (&old.schema, report.old.join("return").join("schema")),
                (&new.schema, report.new.join("return").join("schema")),
                &SchemaUse::Return,
                report,
            );
            if values.is_unchanged(&old.schema, &new.schema) && old.type_code != new.type_code {
                let (new, old) = (new.type_code, old.type_code);
                let message = phrase("change.return.type").with(new).with(old);
                report.now(Rule::TypeWordChanged, &[&"return", &"type"], message);
            }
            let words = |returns: &ReturnDescription| {
                (returns.description.clone(), returns.extensions.clone())
            };
            if words(old) != words(new) {
                let message = phrase("change.return.words");
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
        report.now(Rule::WordsChanged, &[], phrase("change.words"));
    }
    if old.examples != new.examples {
        report.now(
            Rule::ExamplesChanged,
            &[&"examples"],
            phrase("change.examples"),
        );
    }
}
