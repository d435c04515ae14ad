//! Compares parameters (their names, their order, and their schemas) and results.
//!
//! A parameter is the same as before if its name is still there, as a name or as an alias, wherever it stands. The
//! order matters only to callers who pass parameters by position:
//!
//! ```text
//! find(title, pages)     find(pages, heading (alias title), limit?)
//!
//! title ──────────────── heading    renamed; old callers use the alias
//! pages ──────────────── pages      moved, which breaks those who pass it by position
//!                        limit      new, optional and last, so safe
//! ```

use std::collections::{BTreeMap, BTreeSet};

use docent_describe::{ParamDescription, ProcedureDescription, ReturnDescription};

use super::change::Document;
use super::pairs::{Paired, Partners};
use super::phrase::phrase;
use super::report::ChangeReporter;
use super::rule::Rule;
use super::values::{SchemaUse, quoted_or_none};
use crate::params::takes_names;

/// Compares the lists of parameters: which are kept under which name, in which order, and which are new.
pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let mut partners = Partners::new(old.params.len(), new.params.len());
    partners.join_if(|before, after| new.params[after].name == old.params[before].name);
    partners.join_if(|before, after| {
        new.params[after]
            .aliases
            .iter()
            .any(|alias| alias.name == old.params[before].name)
    });
    // If calls had no names, callers know a parameter by its position.
    if !takes_names(old) {
        partners.join_if(|before, after| {
            position(old, &old.params[before].name) == position(new, &new.params[after].name)
        });
    }
    let pairs = partners.into_pairs();
    // If parameters are passed by name only, in either description, positions do not matter.
    let has_positions = !old.by_name_only && !new.by_name_only;
    // The new positions of the parameters that both have, in their old order and in their new one.
    let mut old_order = BTreeMap::new();
    for pair in &pairs {
        if let Paired::Both { before, after } = *pair {
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
            Paired::Both { before, after } => {
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
    procedure.params.iter().position(|param| param.name == name)
}

/// Compares two versions of a parameter. A default counts only while the parameter is optional on both sides.
fn compare_param<'j>(
    old: &'j ParamDescription,
    new: &'j ParamDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let name = &new.name;
    compare_names(old, new, report);
    report.switched(
        "",
        old.required,
        new.required,
        &[name],
        [Rule::ParamRequired, Rule::ParamOptional],
    );
    report.switched(
        "",
        old.variadic,
        new.variadic,
        &[name],
        [
            Rule::ParamVariadicChanged.sentence("change.param.list"),
            Rule::ParamVariadicChanged.sentence("change.param.list.not"),
        ],
    );
    let old_default = report.schemas.old_default(old);
    let new_default = report.schemas.new_default(new);
    if !old.required && !new.required && old_default != new_default {
        let message = phrase("change.param.default", &[name])
            .and(quoted_or_none(new_default))
            .and(quoted_or_none(old_default));
        report.add(Rule::DefaultChanged, Document::New, "", message);
    }
    compare_deprecation(old, new, report);
    let schema_use = SchemaUse::Input(phrase("change.value.param", &[name]));
    report
        .member("schema")
        .compare_schemas(&old.schema, &new.schema, &schema_use);
    if new.type_code != old.type_code && report.schemas.is_unchanged(&old.schema, &new.schema) {
        report.changed(
            Rule::TypeWordChanged.sentence("change.param.type"),
            "type",
            &[name, &new.type_code, &old.type_code],
        );
    }
    compare_param_documentation(old, new, report);
}

/// Compares the documentation of a parameter.
pub(super) fn compare_param_documentation(
    old: &ParamDescription,
    new: &ParamDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        report.changed(
            Rule::WordsChanged.sentence("change.param.words"),
            "",
            &[&new.name],
        );
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

/// Compares whether a parameter is deprecated, and reports each alias that has become so.
fn compare_deprecation(
    old: &ParamDescription,
    new: &ParamDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let name = &new.name;
    report.switched(
        "deprecated",
        old.deprecated,
        new.deprecated,
        &[name],
        [
            Rule::Deprecated.sentence("change.param.deprecated"),
            Rule::Undeprecated.sentence("change.param.undeprecated"),
        ],
    );
    for alias in new.aliases.iter().filter(|alias| alias.deprecated) {
        if old
            .aliases
            .iter()
            .any(|old| old.name == alias.name && !old.deprecated)
        {
            report.changed(
                Rule::Deprecated.sentence("change.alias.deprecated"),
                "aliases",
                &[&alias.name, name],
            );
        }
    }
}

/// Compares results, or items of subscriptions.
pub(super) fn compare_returns<'j>(
    old: &'j ReturnDescription,
    new: &'j ReturnDescription,
    schema_use: &SchemaUse,
    report: &mut ChangeReporter<'_, 'j>,
) {
    report
        .member("schema")
        .compare_schemas(&old.schema, &new.schema, schema_use);
    if new.type_code != old.type_code && report.schemas.is_unchanged(&old.schema, &new.schema) {
        report.changed(
            Rule::TypeWordChanged.sentence("change.return.type"),
            "type",
            &[&new.type_code, &old.type_code],
        );
    }
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        report.changed(Rule::WordsChanged.sentence("change.return.words"), "", &[]);
    }
}
