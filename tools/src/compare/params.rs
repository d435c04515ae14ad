//! Compares parameters (their names, their order, and their schemas) and results.

use docent_describe::{ParamDescription, ProcedureDescription, ReturnDescription};

use super::change::Document;
use super::pairs::{Both, paired};
use super::phrase::phrase;
use super::report::Report;
use super::rule::Rule;
use super::values::{SchemaUse, shown_or_none};
use crate::params::takes_names;

pub(super) fn compare<'j>((old, new): Both<'j, ProcedureDescription>, report: &mut Report<'_, 'j>) {
    // First those with the same name, then those whose old name is now an alias. If calls had no names,
    // a parameter is known by its position.
    let pairs = paired(&old.params, &new.params, 3, |attempt, param, other| {
        let mut aliases = other.aliases.iter();
        match attempt {
            0 => other.name == param.name,
            1 => aliases.any(|alias| alias.name == param.name),
            _ => !takes_names(old) && position(old, param) == position(new, other),
        }
    });
    // If parameters are passed by name only, in either description, positions do not matter.
    let has_positions = !old.by_name_only && !new.by_name_only;
    let mut kept: Vec<(usize, usize)> = pairs
        .iter()
        .filter_map(|(before, after)| before.zip(*after))
        .collect();
    let order: Vec<usize> = kept.iter().map(|(_, after)| *after).collect();
    kept.sort_unstable();
    for ((_, after), expected) in kept.iter().zip(&order) {
        if has_positions && after != expected {
            report.element("params", after, after).now(
                Rule::ParamMoved,
                "",
                &[&new.params[*after].name],
            );
        }
    }
    for (before, after) in pairs {
        let mut report = report.element("params", before.unwrap_or(0), after.unwrap_or(0));
        match (
            before.map(|at| &old.params[at]),
            after.map(|at| &new.params[at]),
        ) {
            (Some(param), Some(now)) => each(param, now, &mut report),
            (Some(param), None) => report.gone(Rule::ParamRemoved, "", &[&param.name]),
            (None, Some(param)) => {
                let rule = if param.required {
                    Rule::RequiredParamAdded
                } else if has_positions && order.iter().any(|other| Some(*other) > after) {
                    Rule::ParamInserted
                } else {
                    Rule::ParamAdded
                };
                report.now(rule, "", &[&param.name]);
            }
            (None, None) => {}
        }
    }
}

fn position(procedure: &ProcedureDescription, of: &ParamDescription) -> Option<usize> {
    procedure
        .params
        .iter()
        .position(|param| param.name == of.name)
}

fn each<'j>(old: &'j ParamDescription, new: &'j ParamDescription, report: &mut Report<'_, 'j>) {
    let name = &new.name;
    names(old, new, report);
    let rules = [Rule::ParamRequired, Rule::ParamOptional];
    report.switched((old.required, new.required), "", &[name], rules);
    let rules = [
        (Rule::ParamVariadicChanged, "change.param.list"),
        (Rule::ParamVariadicChanged, "change.param.list.not"),
    ];
    report.switched((old.variadic, new.variadic), "", &[name], rules);
    let [was, now] = report.values.defaults((old, new));
    if !old.required && !new.required && was != now {
        let message = phrase("change.param.default", &[name])
            .and(shown_or_none(now))
            .and(shown_or_none(was));
        report.told(Rule::DefaultChanged, Document::New, "", message);
    }
    deprecation(old, new, report);
    let schemas = (&old.schema, &new.schema);
    report.inside("schema").schemas(
        schemas,
        &SchemaUse::Input(phrase("change.value.param", &[name])),
    );
    let (now, was) = (&new.type_code, &old.type_code);
    if now != was && report.values.is_unchanged(schemas) {
        let words = (Rule::TypeWordChanged, "change.param.type");
        report.now(words, "type", &[name, now, was]);
    }
    words(old, new, report);
}

/// Compares the documentation of a parameter.
pub(super) fn words(old: &ParamDescription, new: &ParamDescription, report: &mut Report<'_, '_>) {
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        let words = (Rule::WordsChanged, "change.param.words");
        report.now(words, "", &[&new.name]);
    }
}

fn names(old: &ParamDescription, new: &ParamDescription, report: &mut Report<'_, '_>) {
    if old.name != new.name {
        report.now(Rule::ParamRenamed, "", &[&old.name, &new.name]);
    }
    for alias in &old.aliases {
        if !new.is_called(&alias.name) {
            report.gone(
                Rule::ParamAliasRemoved,
                "aliases",
                &[&new.name, &alias.name],
            );
        }
    }
    for alias in &new.aliases {
        if !old.is_called(&alias.name) {
            report.now(Rule::ParamAliasAdded, "aliases", &[&new.name, &alias.name]);
        }
    }
}

fn deprecation(old: &ParamDescription, new: &ParamDescription, report: &mut Report<'_, '_>) {
    let name = &new.name;
    let rules = [
        (Rule::Deprecated, "change.param.deprecated"),
        (Rule::Undeprecated, "change.param.undeprecated"),
    ];
    let switch = (old.deprecated, new.deprecated);
    report.switched(switch, "deprecated", &[name], rules);
    for alias in new.aliases.iter().filter(|alias| alias.deprecated) {
        if old
            .aliases
            .iter()
            .any(|old| old.name == alias.name && !old.deprecated)
        {
            let words = (Rule::Deprecated, "change.alias.deprecated");
            report.now(words, "aliases", &[&alias.name, name]);
        }
    }
}

/// Compares results, or items of subscriptions.
pub(super) fn returns<'j>(
    (old, new): Both<'j, ReturnDescription>,
    site: &SchemaUse,
    report: &mut Report<'_, 'j>,
) {
    let schemas = (&old.schema, &new.schema);
    report.inside("schema").schemas(schemas, site);
    let (now, was) = (new.type_code, old.type_code);
    if now != was && report.values.is_unchanged(schemas) {
        let words = (Rule::TypeWordChanged, "change.return.type");
        report.now(words, "type", &[&now, &was]);
    }
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        report.now((Rule::WordsChanged, "change.return.words"), "", &[]);
    }
}
