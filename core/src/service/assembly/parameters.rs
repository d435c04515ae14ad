//! The parameters of a procedure, from its type and its author's settings.
//!
//! The checks of their values are compiled later, in [`enforce`](super::enforce).

use std::sync::Arc;

use docent_describe::schema::{ParamsKind, SchemaProblem};
use docent_describe::{ParamAlias, ParamDescription, ProcedureDescription, split_documentation};

use super::draft::Draft;
use super::findings::Findings;
use crate::procedure::{ProcedureOptions, RegisteredProcedure};

/// Describes the parameters, in the order that the author lists, if there is such a list.
pub(super) fn describe(draft: &mut Draft, findings: &mut Findings) {
    let RegisteredProcedure { name, options, .. } = &*draft.registered;
    if let (Some(order), Ok(schema)) = (&options.order, &*draft.params) {
        match schema.reordered(order) {
            _ if schema.kind == ParamsKind::List => {
                findings.mistake(
                    name,
                    "order needs named parameters, but the procedure takes a list; remove it",
                );
            }
            Ok(reordered) => draft.params = Arc::new(Ok(reordered)),
            Err(problems) => findings.mistakes(name, problems),
        }
    }
    let schema = match &*draft.params {
        Ok(schema) => schema,
        Err(problems) => return findings.mistakes(name, problems),
    };
    let is_list = schema.kind == ParamsKind::List;
    let description = &mut draft.callee.description;
    let documentation = options.documentation.as_ref();
    let (summary, text) = match documentation.or(schema.documentation.as_ref()) {
        Some(documentation) => split_documentation(documentation),
        None => (None, None),
    };
    description.summary = description.summary.take().or(summary);
    description.description = description.description.take().or(text);
    description.params.clone_from(&schema.params);
    description.by_name_only |= schema.by_name_only;
    for warning in &schema.warnings {
        findings.warning(name, warning);
    }
    if options.described.unchecked.is_none() {
        findings.mistakes(name, &schema.doubts);
    }
    if options.described.by_name_only && is_list {
        findings.mistake(
            name,
            "by_name_only needs named parameters, but the procedure takes a list; remove it",
        );
    }
    if options.described.ignores_unknown && is_list {
        findings.mistake(
            name,
            "ignore_unknown needs named parameters, but the procedure takes a list; remove it",
        );
    }
    description.ignores_unknown &= !is_list;
    if !description.by_name_only {
        findings.mistakes(name, schema.misplaced());
    }
    if let Some(list_name) = &options.list_name {
        findings.mistakes(name, SchemaProblem::of_name(list_name));
        match description.params.first_mut() {
            Some(list) if is_list => list.name.clone_from(list_name),
            _ => findings.mistake(
                name,
                "list_name is for procedures that take a list, such as `Vec<T>`; remove it",
            ),
        }
    }
    add_aliases(description, options, findings);
}

/// Adds the other names of parameters, which must lead to one parameter each.
fn add_aliases(
    description: &mut ProcedureDescription,
    options: &ProcedureOptions,
    findings: &mut Findings,
) {
    let name = description.name.clone();
    for (parameter, alias) in &options.aliases {
        findings.mistakes(&name, SchemaProblem::of_name(alias));
        let Some(param) = description
            .params
            .iter_mut()
            .find(|param| param.name == *parameter)
        else {
            let text = format_args!(
                "there is no parameter `{parameter}` for the alias `{alias}`; correct the name"
            );
            findings.mistake(&name, text);
            continue;
        };
        if !has_alias(param, alias) {
            let mut alias = ParamAlias::new(alias.clone());
            alias.deprecated = true;
            param.aliases.push(alias);
        }
    }
    for (index, param) in description.params.iter().enumerate() {
        for alias in &param.aliases {
            let is_taken = description.params.iter().enumerate().any(|(other, param)| {
                param.name == alias.name || other != index && has_alias(param, &alias.name)
            });
            if is_taken {
                let text = format_args!(
                    "the alias `{}` of the parameter `{}` is also a name or an alias of a parameter; \
                     choose another alias",
                    alias.name, param.name
                );
                findings.mistake(&name, text);
            }
        }
    }
}

fn has_alias(param: &ParamDescription, name: &str) -> bool {
    param.aliases.iter().any(|alias| alias.name == name)
}
