//! Compares parameters (their names, their order, and their schemas) and results.
//!
//! Parameters stay what they were if their name or an alias of it is still there, however they are ordered. Their order
//! matters only to callers who pass them by position.

use std::collections::{BTreeMap, BTreeSet};

use docent_describe::{ParamDescription, ProcedureDescription, ReturnDescription};

use super::change::Document;
use super::pairs::{Paired, paired};
use super::phrase::phrase;
use super::report::ChangeReporter;
use super::rule::Rule;
use super::values::{SchemaUse, shown_or_none};
use crate::params::takes_names;

/// Compares the lists of parameters: which are kept under which name, in which order, and which are new.
pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    // First those with the same name, then those whose old name is now an alias. If calls had no names,
    // a parameter is known by its position.
    let pairs = paired(&old.params, &new.params, 3, |attempt, param, other| {
        let mut aliases = other.aliases.iter();
        match attempt {
            0 => other.name == param.name,
            1 => aliases.any(|alias| alias.name == param.name),
            _ => !takes_names(old) && position(old, &param.name) == position(new, &other.name),
        }
    });
    // If parameters are passed by name only, in either description, positions do not matter.
    let has_positions = !old.by_name_only && !new.by_name_only;
    // The new positions of the parameters that are kept, in their old order and in their new one.
    let mut old_order = BTreeMap::new();
    for pair in &pairs {
        if let Paired::Kept { before, after } = *pair {
            old_order.insert(before, after);
        }
    }
    let new_order: BTreeSet<usize> = old_order.values().copied().collect();
    for (after, expected) in old_order.values().zip(&new_order) {
        if has_positions && after != expected {
            let name = &new.params[*after].name;
            report
                .element("params", after, after)
                .changed(Rule::ParamMoved, "", &[name]);
        }
    }
    for pair in pairs {
        let mut report = report.item("params", pair);
        match pair {
            Paired::Kept { before, after } => {
                compare_param(&old.params[before], &new.params[after], &mut report);
            }
            Paired::Removed(before) => {
                report.removed(Rule::ParamRemoved, "", &[&old.params[before].name]);
            }
            Paired::Added(after) => {
                let param = &new.params[after];
                let is_last = new_order.last() < Some(&after);
                let rule = if param.required {
                    Rule::RequiredParamAdded
                } else if has_positions && !is_last {
                    Rule::ParamInserted
                } else {
                    Rule::ParamAdded
                };
                report.changed(rule, "", &[&param.name]);
            }
        }
    }
}

/// Returns the position of the parameter with this name.
fn position(procedure: &ProcedureDescription, name: &str) -> Option<usize> {
    let mut params = procedure.params.iter();
    params.position(|param| param.name == name)
}

/// Compares two versions of a parameter. A default counts only while the parameter is optional on both sides.
fn compare_param<'j>(
    old: &'j ParamDescription,
    new: &'j ParamDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let name = &new.name;
    compare_names(old, new, report);
    let rules = [Rule::ParamRequired, Rule::ParamOptional];
    report.switched((old.required, new.required), "", &[name], rules);
    let rules = [
        Rule::ParamVariadicChanged.told_as("change.param.list"),
        Rule::ParamVariadicChanged.told_as("change.param.list.not"),
    ];
    report.switched((old.variadic, new.variadic), "", &[name], rules);
    let was = report.values.old_default(old);
    let now = report.values.new_default(new);
    if !old.required && !new.required && was != now {
        let message = phrase("change.param.default", &[name])
            .and(shown_or_none(now))
            .and(shown_or_none(was));
        report.add(Rule::DefaultChanged, Document::New, "", message);
    }
    compare_deprecation(old, new, report);
    let site = SchemaUse::Input(phrase("change.value.param", &[name]));
    report
        .member("schema")
        .compare_schemas(&old.schema, &new.schema, &site);
    if new.type_code != old.type_code && report.values.is_unchanged(&old.schema, &new.schema) {
        let sentence = Rule::TypeWordChanged.told_as("change.param.type");
        report.changed(sentence, "type", &[name, &new.type_code, &old.type_code]);
    }
    compare_param_texts(old, new, report);
}

/// Compares the documentation of a parameter.
pub(super) fn compare_param_texts(
    old: &ParamDescription,
    new: &ParamDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        let sentence = Rule::WordsChanged.told_as("change.param.words");
        report.changed(sentence, "", &[&new.name]);
    }
}

/// Compares the name of a parameter, and its aliases.
fn compare_names(
    old: &ParamDescription,
    new: &ParamDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    if old.name != new.name {
        report.changed(Rule::ParamRenamed, "", &[&old.name, &new.name]);
    }
    for alias in &old.aliases {
        if !new.is_called(&alias.name) {
            report.removed(
                Rule::ParamAliasRemoved,
                "aliases",
                &[&new.name, &alias.name],
            );
        }
    }
    for alias in &new.aliases {
        if !old.is_called(&alias.name) {
            report.changed(Rule::ParamAliasAdded, "aliases", &[&new.name, &alias.name]);
        }
    }
}

/// Compares whether a parameter is deprecated, and tells of each alias that was not.
fn compare_deprecation(
    old: &ParamDescription,
    new: &ParamDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let name = &new.name;
    let rules = [
        Rule::Deprecated.told_as("change.param.deprecated"),
        Rule::Undeprecated.told_as("change.param.undeprecated"),
    ];
    let switch = (old.deprecated, new.deprecated);
    report.switched(switch, "deprecated", &[name], rules);
    for alias in new.aliases.iter().filter(|alias| alias.deprecated) {
        let mut before = old.aliases.iter();
        if before.any(|old| old.name == alias.name && !old.deprecated) {
            let sentence = Rule::Deprecated.told_as("change.alias.deprecated");
            report.changed(sentence, "aliases", &[&alias.name, name]);
        }
    }
}

/// Compares results, or items of subscriptions.
pub(super) fn compare_returns<'j>(
    old: &'j ReturnDescription,
    new: &'j ReturnDescription,
    site: &SchemaUse,
    report: &mut ChangeReporter<'_, 'j>,
) {
    report
        .member("schema")
        .compare_schemas(&old.schema, &new.schema, site);
    if new.type_code != old.type_code && report.values.is_unchanged(&old.schema, &new.schema) {
        let sentence = Rule::TypeWordChanged.told_as("change.return.type");
        report.changed(sentence, "type", &[&new.type_code, &old.type_code]);
    }
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        report.changed(Rule::WordsChanged.told_as("change.return.words"), "", &[]);
    }
}
