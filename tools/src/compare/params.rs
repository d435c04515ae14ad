//! Compares parameters: their names, their order, and their schemas.

use super::phrase::{PhraseValue, phrase};
use super::values::{SchemaComparison, SchemaUse};
use super::{Report, Rule, paired};
use docent_describe::json::Json;
use docent_describe::{ParamDescription, ProcedureDescription};

pub(super) fn compare<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    values: &mut SchemaComparison<'j>,
    report: &mut Report<'_>,
) {
    // First those with the same name, then those whose old name is now an alias.
    let pairs = paired(&old.params, &new.params, 2, |attempt, param, other| {
        let mut aliases = other.aliases.iter();
        match attempt {
            0 => other.name == param.name,
            _ => aliases.any(|alias| alias.name == param.name),
        }
    });
    for (at, param) in old.params.iter().enumerate() {
        if !pairs.iter().any(|(before, _)| *before == at) {
            let message = phrase("change.param.gone").with(&param.name);
            report.gone(Rule::ParamRemoved, &[&"params", &at], message);
        }
    }
    // If parameters are passed by name only, in either description, positions do not matter.
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

/// Reports the parameters whose order changed, among those that remain.
fn moved(new: &[ParamDescription], pairs: &[(usize, usize)], report: &mut Report<'_>) {
    let mut order: Vec<usize> = pairs.iter().map(|(_, after)| *after).collect();
    order.sort_unstable();
    for ((_, after), expected) in pairs.iter().zip(order) {
        if *after != expected {
            let name = &new[*after].name;
            let message = phrase("change.param.moved").with(name);
            report.now(Rule::ParamMoved, &[&"params", after], message);
        }
    }
}

fn added(param: &ParamDescription, at: usize, is_before_others: bool, report: &mut Report<'_>) {
    let (rule, key) = if param.required {
        (Rule::RequiredParamAdded, "change.param.added.required")
    } else if is_before_others {
        (Rule::ParamInserted, "change.param.inserted")
    } else {
        (Rule::ParamAdded, "change.param.added")
    };
    report.now(rule, &[&"params", &at], phrase(key).with(&param.name));
}

fn each<'j>(
    old: &'j ParamDescription,
    new: &'j ParamDescription,
    (before, at): (usize, usize),
    values: &mut SchemaComparison<'j>,
    report: &mut Report<'_>,
) {
    let name = &new.name;
    names(old, new, (before, at), report);
    match (old.required, new.required) {
        (false, true) => {
            let message = phrase("change.param.required").with(name);
            report.now(Rule::ParamRequired, &[&"params", &at], message);
        }
        (true, false) => {
            let message = phrase("change.param.optional").with(name);
            report.now(Rule::ParamOptional, &[&"params", &at], message);
        }
        _ => {}
    }
    if old.variadic != new.variadic {
        let key = if new.variadic {
            "change.param.list"
        } else {
            "change.param.list.not"
        };
        let message = phrase(key).with(name);
        report.now(Rule::ParamVariadicChanged, &[&"params", &at], message);
    }
    let default = |param: &ParamDescription| {
        let own = param.default.clone();
        own.or_else(|| param.schema.get("default").cloned())
    };
    if !old.required && !new.required && default(old) != default(new) {
        let (now, was) = (default(new), default(old));
        let message = phrase("change.param.default").with(name);
        let message = message
            .and(or_none(now.as_ref()))
            .and(or_none(was.as_ref()));
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
        &SchemaUse::Param(name),
        report,
    );
    if values.is_unchanged(&old.schema, &new.schema) && old.type_code != new.type_code {
        let (now, was) = (new.type_code, old.type_code);
        let message = phrase("change.param.type").with(name).with(now).with(was);
        report.now(Rule::TypeWordChanged, &[&"params", &at, &"type"], message);
    }
    let words = |param: &ParamDescription| (param.description.clone(), param.extensions.clone());
    if words(old) != words(new) {
        let message = phrase("change.param.words").with(name);
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
        let message = phrase("change.param.renamed");
        let message = message.with(&old.name).with(&new.name);
        report.now(Rule::ParamRenamed, &[&"params", &at], message);
    }
    for alias in &old.aliases {
        if !takes(new, &alias.name) {
            let message = phrase("change.alias.gone");
            let message = message.with(&new.name).with(&alias.name);
            report.gone(
                Rule::ParamAliasRemoved,
                &[&"params", &before, &"aliases"],
                message,
            );
        }
    }
    for alias in &new.aliases {
        if !takes(old, &alias.name) {
            let message = phrase("change.alias.added");
            let message = message.with(&new.name).with(&alias.name);
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
    let message = |key: &'static str| phrase(key).with(name);
    report.switched(
        (old.deprecated, new.deprecated),
        &[&"params", &at, &"deprecated"],
        (Rule::Deprecated, message("change.param.deprecated")),
        (Rule::Undeprecated, message("change.param.undeprecated")),
    );
    for alias in new.aliases.iter().filter(|alias| alias.deprecated) {
        let was = old.aliases.iter().find(|old| old.name == alias.name);
        if was.is_some_and(|was| !was.deprecated) {
            let message = phrase("change.alias.deprecated");
            let message = message.with(&alias.name).with(name);
            report.now(Rule::Deprecated, &[&"params", &at, &"aliases"], message);
        }
    }
}

/// Returns a value for a sentence, shortened.
pub(super) fn shown(value: &Json) -> String {
    format!(
        "`{}`",
        docent_describe::json::shorten(&value.to_string(), 60)
    )
}

/// Returns a value for a sentence, or a phrase that says that there is none.
pub(super) fn or_none(value: Option<&Json>) -> PhraseValue {
    PhraseValue::literal_or(value.map(shown), "change.none")
}
