//! Compares two versions of a procedure.

use docent_describe::ProcedureDescription;
use docent_describe::json::Object;
use docent_describe::openrpc::PARAM_STRUCTURE;
use docent_describe::render::TOOL;

use super::pairs::Both;
use super::phrase::phrase;
use super::report::Report;
use super::rule::Rule;
use super::values::SchemaUse;
use super::{access, errors, params, promises, sent};
use crate::params::takes_names;

pub(super) fn compare<'j>((old, new): Both<'j, ProcedureDescription>, report: &mut Report<'_, 'j>) {
    let rules = [
        (Rule::DirectionChanged, "change.direction.client"),
        (Rule::DirectionChanged, "change.direction.server"),
    ];
    let switch = (old.is_called_by_clients(), new.is_called_by_clients());
    report.switched(switch, "", &[], rules);
    if old.direction != new.direction {
        return;
    }
    switches(old, new, report);
    tool(old, new, report);
    access::compare((old, new), report);
    promises::compare((old, new), report);
    // What clients answer with is to the service what parameters are.
    let result = if new.is_called_by_clients() {
        params::compare((old, new), report);
        SchemaUse::Output(phrase("change.value.return", &[]))
    } else {
        sent::compare_params((old, new), report);
        SchemaUse::Input(phrase("change.value.return", &[]))
    };
    sent::compare_subscriptions((old, new), report);
    match (&old.returns, &new.returns) {
        (Some(old), Some(new)) => {
            params::returns((old, new), &result, &mut report.inside("return"))
        }
        _ if old.subscription.is_some() != new.subscription.is_some() => {}
        (Some(_), None) => report.gone(Rule::ReturnRemoved, "return", &[]),
        (None, Some(_)) => report.now(Rule::ReturnDescribed, "return", &[]),
        (None, None) => {}
    }
    errors::compare((old, new), report);
    let [before, after] = [old, new].map(extensions);
    let have_others = report.extensions(&before, &after);
    if have_others || words(old) != words(new) {
        report.now((Rule::WordsChanged, "change.words"), "", &[]);
    }
    if old.examples != new.examples {
        report.now(Rule::ExamplesChanged, "examples", &[]);
    }
}

fn switches(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_, '_>) {
    let rules = [Rule::IdempotencyGranted, Rule::IdempotencyWithdrawn];
    report.switched((old.idempotent, new.idempotent), "idempotent", &[], rules);
    let rules = [Rule::UnknownIgnored, Rule::UnknownRefused];
    let switch = (old.ignores_unknown, new.ignores_unknown);
    report.switched(switch, "ignoresUnknown", &[], rules);
    let off = if new.is_called_by_clients() {
        Rule::NotificationOff.into()
    } else {
        (Rule::ClientsAsked, "change.clients.asked")
    };
    let switch = (old.notification, new.notification);
    report.switched(
        switch,
        "notification",
        &[],
        [Rule::NotificationOn.into(), off],
    );
    if !old.params.is_empty() {
        let rules = [Rule::ByNameOnly, Rule::ByNameOnlyLifted];
        let switch = (old.by_name_only, new.by_name_only);
        report.switched(switch, "byNameOnly", &[], rules);
    }
    let rules = [Rule::ByPositionOnly, Rule::ByPositionOnlyLifted];
    let switch = (!takes_names(old), !takes_names(new));
    report.switched(switch, PARAM_STRUCTURE.0, &[], rules);
    let rules = [
        (Rule::Deprecated, "change.deprecated"),
        (Rule::Undeprecated, "change.undeprecated"),
    ];
    let switch = (old.deprecated.is_some(), new.deprecated.is_some());
    report.switched(switch, "deprecated", &[], rules);
    if old.deprecated.is_some() && new.deprecated.is_some() && old.deprecated != new.deprecated {
        report.now(
            (Rule::WordsChanged, "change.deprecation"),
            "deprecated",
            &[],
        );
    }
}

/// Compares the names by which agents call a procedure.
fn tool(old: &ProcedureDescription, new: &ProcedureDescription, report: &mut Report<'_, '_>) {
    let [was, now] = [old, new].map(|procedure| procedure.extensions.get(TOOL)?.as_str());
    match (was, now) {
        (None, Some(now)) => report.now(Rule::ToolAdded, TOOL, &[&now]),
        (Some(was), Some(now)) if was != now => {
            let words = (Rule::ToolRemoved, "change.tool.renamed");
            report.now(words, TOOL, &[&now, &was]);
        }
        (Some(was), None) => {
            report.gone((Rule::ToolRemoved, "change.tool.gone"), TOOL, &[&was]);
        }
        _ => {}
    }
}

/// Returns the documentation of a procedure.
fn words(procedure: &ProcedureDescription) -> impl PartialEq {
    (
        &procedure.summary,
        &procedure.description,
        &procedure.help,
        &procedure.tags,
    )
}

/// Returns the extensions of a procedure that are not compared for themselves.
fn extensions(procedure: &ProcedureDescription) -> Object {
    let mut extensions = procedure.extensions.clone();
    for compared in [PARAM_STRUCTURE.0, TOOL] {
        extensions.shift_remove(compared);
    }
    extensions
}
