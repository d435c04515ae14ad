//! Compares two versions of a procedure.
//!
//! This file compares what a procedure is: who calls it, what it is marked as, and how it is documented. Its
//! parameters, results, errors, access and limits have files of their own.

use docent_describe::ProcedureDescription;
use docent_describe::json::{Json, Object};
use docent_describe::openrpc::PARAM_STRUCTURE;
use docent_describe::render::TOOL;

use super::phrase::phrase;
use super::report::ChangeReporter;
use super::rule::Rule;
use super::values::SchemaUse;
use super::{access, errors, params, promises, sent};
use crate::params::takes_names;

/// Compares two versions of a procedure. If it is sent in the other direction, nothing else of it can be compared.
pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let rules = [
        Rule::DirectionChanged.told_as("change.direction.client"),
        Rule::DirectionChanged.told_as("change.direction.server"),
    ];
    let switch = (old.is_called_by_clients(), new.is_called_by_clients());
    report.switched(switch, "", &[], rules);
    if old.direction != new.direction {
        return;
    }
    compare_marks(old, new, report);
    compare_tool(old, new, report);
    access::compare(old, new, report);
    promises::compare(old, new, report);
    // The answers of clients are to the service what parameters are.
    let result = if new.is_called_by_clients() {
        params::compare(old, new, report);
        SchemaUse::Output(phrase("change.value.return", &[]))
    } else {
        sent::compare_params(old, new, report);
        SchemaUse::Input(phrase("change.value.return", &[]))
    };
    sent::compare_subscriptions(old, new, report);
    match (&old.returns, &new.returns) {
        (Some(old), Some(new)) => {
            params::compare_returns(old, new, &result, &mut report.member("return"));
        }
        _ if old.subscription.is_some() != new.subscription.is_some() => {}
        (Some(_), None) => report.removed(Rule::ReturnRemoved, "return", &[]),
        (None, Some(_)) => report.changed(Rule::ReturnDescribed, "return", &[]),
        (None, None) => {}
    }
    errors::compare(old, new, report);
    let have_others = report.compare_extensions(&other_extensions(old), &other_extensions(new));
    if have_others || documentation(old) != documentation(new) {
        report.changed(Rule::WordsChanged.told_as("change.words"), "", &[]);
    }
    if old.examples != new.examples {
        report.changed(Rule::ExamplesChanged, "examples", &[]);
    }
}

/// Compares what is said of a procedure with yes or no.
fn compare_marks(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let rules = [Rule::IdempotencyGranted, Rule::IdempotencyWithdrawn];
    report.switched((old.idempotent, new.idempotent), "idempotent", &[], rules);
    let rules = [Rule::UnknownIgnored, Rule::UnknownRefused];
    let switch = (old.ignores_unknown, new.ignores_unknown);
    report.switched(switch, "ignoresUnknown", &[], rules);
    let off = if new.is_called_by_clients() {
        Rule::NotificationOff.into()
    } else {
        Rule::ClientsAsked.told_as("change.clients.asked")
    };
    let rules = [Rule::NotificationOn.into(), off];
    let switch = (old.notification, new.notification);
    report.switched(switch, "notification", &[], rules);
    if !old.params.is_empty() {
        let rules = [Rule::ByNameOnly, Rule::ByNameOnlyLifted];
        let switch = (old.by_name_only, new.by_name_only);
        report.switched(switch, "byNameOnly", &[], rules);
    }
    let rules = [Rule::ByPositionOnly, Rule::ByPositionOnlyLifted];
    let switch = (!takes_names(old), !takes_names(new));
    report.switched(switch, PARAM_STRUCTURE.0, &[], rules);
    let rules = [
        Rule::Deprecated.told_as("change.deprecated"),
        Rule::Undeprecated.told_as("change.undeprecated"),
    ];
    let switch = (old.deprecated.is_some(), new.deprecated.is_some());
    report.switched(switch, "deprecated", &[], rules);
    if old.deprecated.is_some() && new.deprecated.is_some() && old.deprecated != new.deprecated {
        let sentence = Rule::WordsChanged.told_as("change.deprecation");
        report.changed(sentence, "deprecated", &[]);
    }
}

/// Compares the names by which agents call a procedure.
fn compare_tool(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let was = old.extensions.get(TOOL).and_then(Json::as_str);
    let now = new.extensions.get(TOOL).and_then(Json::as_str);
    match (was, now) {
        (None, Some(now)) => report.changed(Rule::ToolAdded, TOOL, &[&now]),
        (Some(was), Some(now)) if was != now => {
            let sentence = Rule::ToolRemoved.told_as("change.tool.renamed");
            report.changed(sentence, TOOL, &[&now, &was]);
        }
        (Some(was), None) => {
            report.removed(Rule::ToolRemoved.told_as("change.tool.gone"), TOOL, &[&was]);
        }
        _ => {}
    }
}

/// Returns the documentation of a procedure.
fn documentation(procedure: &ProcedureDescription) -> impl PartialEq {
    (
        &procedure.summary,
        &procedure.description,
        &procedure.help,
        &procedure.tags,
    )
}

/// Returns the extensions of a procedure that are not compared for themselves.
fn other_extensions(procedure: &ProcedureDescription) -> Object {
    let mut extensions = procedure.extensions.clone();
    for compared in [PARAM_STRUCTURE.0, TOOL] {
        extensions.shift_remove(compared);
    }
    extensions
}
