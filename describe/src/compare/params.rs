//! Parameters: which there are, where they stand, and what they are called.

use super::values::{Site, Values};
use super::{Report, Rule};
use crate::json::Json;
use crate::{ParamDescription, ProcedureDescription};

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut Values<'j>,
    report: &mut Report<'_>,
) {
    let pairs = pairs(&old.params, &new.params);
    for (at, param) in old.params.iter().enumerate() {
        if !pairs.iter().any(|(before, _)| *before == at) {
            let message = format_args!("The parameter `{}` is gone.", param.name);
            report.gone(Rule::ParamRemoved, &[&"params", &at], message);
        }
    }
    // If parameters are passed by name only, before or from now on, positions do not matter.
    if !old.by_name_only && !new.by_name_only {
        moved(&new.params, &pairs, report);
    }
    let has_positions = !old.by_name_only && !new.by_name_only;
    for (at, param) in new.params.iter().enumerate() {
        let Some((before, _)) = pairs.iter().find(|(_, after)| *after == at) else {
            added(
                param,
                at,
                has_positions && pairs.iter().any(|(_, after)| *after > at),
                report,
            );
            continue;
        };
        each(&old.params[*before], param, (*before, at), values, report);
    }
}

/// The parameters that are the same one: those of one name, then those whose old name is an alias.
fn pairs(old: &[ParamDescription], new: &[ParamDescription]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for by_alias in [false, true] {
        for (before, param) in old.iter().enumerate() {
            let is_same = |other: &ParamDescription| {
                if by_alias {
                    other.aliases.iter().any(|alias| alias.name == param.name)
                } else {
                    other.name == param.name
                }
            };
            let after = new.iter().position(is_same);
            if let Some(after) = after
                && !pairs.iter().any(|pair| pair.0 == before || pair.1 == after)
            {
                pairs.push((before, after));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Reports parameters whose order among those that stay is another.
fn moved(new: &[ParamDescription], pairs: &[(usize, usize)], report: &mut Report<'_>) {
    let mut order: Vec<usize> = pairs.iter().map(|(_, after)| *after).collect();
    order.sort_unstable();
    for ((_, after), expected) in pairs.iter().zip(order) {
        if *after != expected {
            let name = &new[*after].name;
            let message = format_args!("The parameter `{name}` has another position.");
            report.now(Rule::ParamMoved, &[&"params", after], message);
        }
    }
}

fn added(param: &ParamDescription, at: usize, is_before_others: bool, report: &mut Report<'_>) {
    let name = &param.name;
    let (rule, message) = if param.required {
        (
            Rule::RequiredParamAdded,
            format!("The required parameter `{name}` is new."),
        )
    } else if is_before_others {
        let message = format!(
            "The optional parameter `{name}` is new and moves others to the next position."
        );
        (Rule::ParamInserted, message)
    } else {
        (
            Rule::ParamAdded,
            format!("The optional parameter `{name}` is new."),
        )
    };
    report.now(rule, &[&"params", &at], message);
}

fn each<'j>(
    old: &'j ParamDescription,
    new: &'j ParamDescription,
    (before, at): (usize, usize),
    values: &mut Values<'j>,
    report: &mut Report<'_>,
) {
    let name = &new.name;
    names(old, new, (before, at), report);
    match (old.required, new.required) {
        (false, true) => {
            let message = format_args!("The parameter `{name}` is required now.");
            report.now(Rule::ParamRequired, &[&"params", &at], message);
        }
        (true, false) => {
            let message = format_args!("The parameter `{name}` is optional now.");
            report.now(Rule::ParamOptional, &[&"params", &at], message);
        }
        _ => {}
    }
    if old.variadic != new.variadic {
        let message = if new.variadic {
            format!("The positions of a call are the elements of `{name}` now.")
        } else {
            format!("The positions of a call are no longer the elements of `{name}`.")
        };
        report.now(Rule::ParamVariadicChanged, &[&"params", &at], message);
    }
    let default = |param: &ParamDescription| {
        let own = param.default.clone();
        own.or_else(|| param.schema.get("default").cloned())
    };
    if !old.required && !new.required && default(old) != default(new) {
        let shown = |param| default(param).map_or("none".to_owned(), |value| shown(&value));
        let (now, was) = (shown(new), shown(old));
        let message = format_args!("The default of `{name}` is {now}, was {was}.");
        report.now(Rule::DefaultChanged, &[&"params", &at], message);
    }
    deprecation(old, new, at, report);
    values.compare(
        (
            &old.schema,
            report.old.join("params").join(before).join("schema"),
        ),
        (
            &new.schema,
            report.new.join("params").join(at).join("schema"),
        ),
        &Site::Param(name),
        report,
    );
    if values.is_unchanged(&old.schema, &new.schema) && old.type_code != new.type_code {
        let (now, was) = (new.type_code, old.type_code);
        let message = format_args!("The type of `{name}` is `{now}`, was `{was}`.");
        report.now(Rule::TypeWordChanged, &[&"params", &at, &"type"], message);
    }
    let words = |param: &ParamDescription| (param.description.clone(), param.extensions.clone());
    if words(old) != words(new) {
        let message = format_args!("The documentation of `{name}` changed.");
        report.now(Rule::WordsChanged, &[&"params", &at], message);
    }
}

fn names(
    old: &ParamDescription,
    new: &ParamDescription,
    (before, at): (usize, usize),
    report: &mut Report<'_>,
) {
    let takes = |param: &ParamDescription, name: &str| {
        param.name == name || param.aliases.iter().any(|alias| alias.name == name)
    };
    if old.name != new.name {
        let message = format_args!("The parameter `{}` is named `{}`.", old.name, new.name);
        report.now(Rule::ParamRenamed, &[&"params", &at], message);
    }
    for alias in &old.aliases {
        if !takes(new, &alias.name) {
            let message = format_args!(
                "The parameter `{}` no longer has the alias `{}`.",
                new.name, alias.name
            );
            report.gone(
                Rule::ParamAliasRemoved,
                &[&"params", &before, &"aliases"],
                message,
            );
        }
    }
    for alias in &new.aliases {
        if !takes(old, &alias.name) {
            let message = format_args!(
                "The parameter `{}` has the alias `{}`.",
                new.name, alias.name
            );
            report.now(
                Rule::ParamAliasAdded,
                &[&"params", &at, &"aliases"],
                message,
            );
        }
    }
}

fn deprecation(old: &ParamDescription, new: &ParamDescription, at: usize, report: &mut Report<'_>) {
    let name = &new.name;
    match (old.deprecated, new.deprecated) {
        (false, true) => {
            let message = format_args!("The parameter `{name}` is deprecated.");
            report.now(Rule::Deprecated, &[&"params", &at, &"deprecated"], message);
        }
        (true, false) => {
            let message = format_args!("The parameter `{name}` is no longer deprecated.");
            report.now(Rule::Undeprecated, &[&"params", &at], message);
        }
        _ => {}
    }
    for alias in new.aliases.iter().filter(|alias| alias.deprecated) {
        let was = old.aliases.iter().find(|old| old.name == alias.name);
        if was.is_some_and(|was| !was.deprecated) {
            let message = format_args!("The alias `{}` of `{name}` is deprecated.", alias.name);
            report.now(Rule::Deprecated, &[&"params", &at, &"aliases"], message);
        }
    }
}

/// A value in a sentence.
pub(super) fn shown(value: &Json) -> String {
    format!("`{}`", crate::json::shorten(&value.to_string(), 60))
}
