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
    report.switched(
        "",
        old.is_called_by_clients(),
        new.is_called_by_clients(),
        &[],
        [
            Rule::DirectionChanged.sentence("change.direction.client"),
            Rule::DirectionChanged.sentence("change.direction.server"),
        ],
    );
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
        report.changed(Rule::WordsChanged.sentence("change.words"), "", &[]);
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
    report.switched(
        "idempotent",
        old.idempotent,
        new.idempotent,
        &[],
        [Rule::IdempotencyGranted, Rule::IdempotencyWithdrawn],
    );
    report.switched(
        "ignoresUnknown",
        old.ignores_unknown,
        new.ignores_unknown,
        &[],
        [Rule::UnknownIgnored, Rule::UnknownRefused],
    );
    let off = if new.is_called_by_clients() {
        Rule::NotificationOff.into()
    } else {
        Rule::ClientsAsked.sentence("change.clients.asked")
    };
    report.switched(
        "notification",
        old.notification,
        new.notification,
        &[],
        [Rule::NotificationOn.into(), off],
    );
    if !old.params.is_empty() {
        report.switched(
            "byNameOnly",
            old.by_name_only,
            new.by_name_only,
            &[],
            [Rule::ByNameOnly, Rule::ByNameOnlyLifted],
        );
    }
    report.switched(
        PARAM_STRUCTURE,
        !takes_names(old),
        !takes_names(new),
        &[],
        [Rule::ByPositionOnly, Rule::ByPositionOnlyLifted],
    );
    report.switched(
        "deprecated",
        old.deprecated.is_some(),
        new.deprecated.is_some(),
        &[],
        [
            Rule::Deprecated.sentence("change.deprecated"),
            Rule::Undeprecated.sentence("change.undeprecated"),
        ],
    );
    if old.deprecated.is_some() && new.deprecated.is_some() && old.deprecated != new.deprecated {
        report.changed(
            Rule::WordsChanged.sentence("change.deprecation"),
            "deprecated",
            &[],
        );
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
            report.changed(
                Rule::ToolRemoved.sentence("change.tool.renamed"),
                TOOL,
                &[&now, &was],
            );
        }
        (Some(was), None) => {
            report.removed(
                Rule::ToolRemoved.sentence("change.tool.gone"),
                TOOL,
                &[&was],
            );
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
    for compared in [PARAM_STRUCTURE, TOOL] {
        extensions.shift_remove(compared);
    }
    extensions
}
