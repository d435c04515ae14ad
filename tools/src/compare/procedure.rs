//! Compares two versions of a procedure.

use docent_describe::render::TOOL;
use docent_describe::{ProcedureDescription, ReturnDescription};

use super::phrase::phrase;
use super::report::Report;
use super::rule::Rule;
use super::values::SchemaUse;
use super::{access, errors, params, promises};
use crate::params::takes_names;

/// The extension that keeps OpenRPC's `paramStructure`.
const STRUCTURE: &str = "$paramStructure";

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut Report<'_, 'j>,
) {
    switches(old, new, report);
    tool(old, new, report);
    access::compare(old, new, report);
    promises::compare(old, new, report);
    params::compare(old, new, report);
    match (&old.returns, &new.returns) {
        (Some(old), Some(new)) => returns(old, new, report),
        (Some(_), None) => {
            let message = phrase("change.return.gone", &[]);
            report.gone(Rule::ReturnRemoved, "return", message);
        }
        (None, Some(_)) => {
            let message = phrase("change.return.added", &[]);
            report.now(Rule::ReturnDescribed, "return", message);
        }
        (None, None) => {}
    }
    errors::compare(old, new, report);
    if words(old) != words(new) {
        report.now(Rule::WordsChanged, "", phrase("change.words", &[]));
    }
    if old.examples != new.examples {
        let message = phrase("change.examples", &[]);
        report.now(Rule::ExamplesChanged, "examples", message);
    }
}

fn switches(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_, '_>) {
    report.switched(
        (old.idempotent, new.idempotent),
        "idempotent",
        &[],
        (Rule::IdempotencyGranted, "change.idempotent"),
        (Rule::IdempotencyWithdrawn, "change.idempotent.not"),
    );
    report.switched(
        (old.notification, new.notification),
        "notification",
        &[],
        (Rule::NotificationOn, "change.notification"),
        (Rule::NotificationOff, "change.notification.not"),
    );
    if !old.params.is_empty() {
        report.switched(
            (old.by_name_only, new.by_name_only),
            "byNameOnly",
            &[],
            (Rule::ByNameOnly, "change.name.only"),
            (Rule::ByNameOnlyLifted, "change.name.any"),
        );
    }
    report.switched(
        (!takes_names(old), !takes_names(new)),
        STRUCTURE,
        &[],
        (Rule::ByPositionOnly, "change.position.only"),
        (Rule::ByPositionOnlyLifted, "change.position.any"),
    );
    report.switched(
        (old.deprecated.is_some(), new.deprecated.is_some()),
        "deprecated",
        &[],
        (Rule::Deprecated, "change.deprecated"),
        (Rule::Undeprecated, "change.undeprecated"),
    );
    if old.deprecated.is_some() && new.deprecated.is_some() && old.deprecated != new.deprecated {
        let message = phrase("change.deprecation", &[]);
        report.now(Rule::WordsChanged, "deprecated", message);
    }
}

/// Compares the names by which agents call a procedure.
fn tool(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_, '_>) {
    let [was, now] = [old, new].map(|procedure| procedure.extensions.get(TOOL)?.as_str());
    match (was, now) {
        (None, Some(now)) => {
            let message = phrase("change.tool.added", &[&now]);
            report.now(Rule::ToolAdded, TOOL, message);
        }
        (Some(was), Some(now)) if was != now => {
            let message = phrase("change.tool.renamed", &[&now, &was]);
            report.now(Rule::ToolRemoved, TOOL, message);
        }
        (Some(was), None) => {
            let message = phrase("change.tool.gone", &[&was]);
            report.gone(Rule::ToolRemoved, TOOL, message);
        }
        _ => {}
    }
}

fn returns<'j>(
    old: &'j ReturnDescription,
    new: &'j ReturnDescription,
    report: &mut Report<'_, 'j>,
) {
    let mut report = report.inside("return");
    let schemas = (&old.schema, &new.schema);
    report.inside("schema").schemas(schemas, &SchemaUse::Return);
    let (now, was) = (new.type_code, old.type_code);
    if now != was && report.values.is_unchanged(schemas) {
        let message = phrase("change.return.type", &[&now, &was]);
        report.now(Rule::TypeWordChanged, "type", message);
    }
    if old.description != new.description || old.extensions != new.extensions {
        report.now(Rule::WordsChanged, "", phrase("change.return.words", &[]));
    }
}

/// Returns the documentation of a procedure.
fn words(procedure: &ProcedureDescription) -> impl PartialEq {
    let mut extensions = procedure.extensions.clone();
    for compared in [STRUCTURE, TOOL] {
        extensions.shift_remove(compared);
    }
    let texts = [&procedure.summary, &procedure.description, &procedure.help];
    (texts.map(Clone::clone), procedure.tags.clone(), extensions)
}
