//! The parameters of a procedure, from its type and its author's settings.

use std::sync::Arc;

use docent_describe::schema::{ParamsKind, ParamsShape, ShapeProblem};
use docent_describe::{ParamAlias, ParamDescription, ProcedureDescription, split_documentation};

use super::draft::Draft;
use super::findings::Findings;
use super::shapes::Shapes;
use crate::procedure::About;

/// Puts the parameters into the order that the author lists.
pub(super) fn put_in_order(draft: &mut Draft, findings: &mut Findings) {
    let (Some(order), Ok(shape)) = (&draft.registered.about.order, &*draft.shapes.params) else {
        return;
    };
    let name = &draft.registered.name;
    if shape.kind == ParamsKind::List {
        findings.mistake(name, "order needs parameters that have names");
        return;
    }
    match shape.reordered(order) {
        Ok(shape) => draft.shapes.params = Arc::new(Ok(shape)),
        Err(problems) => problems
            .iter()
            .for_each(|problem| findings.mistake(name, problem)),
    }
}

/// Describes the parameters.
pub(super) fn add(
    description: &mut ProcedureDescription,
    shapes: &Shapes,
    about: &About,
    findings: &mut Findings,
) {
    let mut documentation = (None, None);
    match &*shapes.params {
        Ok(shape) => {
            documentation = split_documentation(shape.documentation.as_deref().unwrap_or_default());
            add_shape(description, shape, about, findings);
        }
        Err(problems) => problems
            .iter()
            .for_each(|problem| findings.mistake(&description.name, problem)),
    }
    description.summary = about.summary.clone().or(documentation.0);
    description.description = about.description.clone().or(documentation.1);
}

fn add_shape(
    description: &mut ProcedureDescription,
    shape: &ParamsShape,
    about: &About,
    findings: &mut Findings,
) {
    let name = description.name.clone();
    description.params.clone_from(&shape.params);
    description.by_name_only = shape.by_name_only || about.by_name_only;
    for warning in &shape.warnings {
        findings.warning(&name, warning);
    }
    if about.unchecked.is_none() {
        let doubts = shape.doubts.iter();
        doubts.for_each(|doubt| findings.mistake(&name, doubt));
    }
    if about.by_name_only && shape.kind == ParamsKind::List {
        findings.mistake(&name, "by_name_only needs parameters that have names");
    }
    if !description.by_name_only {
        for problem in shape.misplaced() {
            findings.mistake(&name, problem);
        }
    }
    if let Some(list_name) = &about.list_name {
        if let Some(problem) = ShapeProblem::of_name(list_name) {
            findings.mistake(&name, problem);
        }
        match description.params.first_mut() {
            Some(list) if shape.kind == ParamsKind::List => list.name.clone_from(list_name),
            _ => findings.mistake(&name, "list_name needs parameters that are a list"),
        }
    }
    add_aliases(description, about, findings);
}

fn add_aliases(description: &mut ProcedureDescription, about: &About, findings: &mut Findings) {
    let name = description.name.clone();
    for (parameter, alias) in &about.aliases {
        if let Some(problem) = ShapeProblem::of_name(alias) {
            findings.mistake(&name, problem);
        }
        let mut params = description.params.iter_mut();
        let Some(param) = params.find(|param| param.name == *parameter) else {
            let text = format_args!("alias: there is no parameter `{parameter}`");
            findings.mistake(&name, text);
            continue;
        };
        if !param.aliases.iter().any(|known| known.name == *alias) {
            param.aliases.push(ParamAlias {
                name: alias.clone(),
                deprecated: true,
            });
        }
    }
    for (index, param) in description.params.iter().enumerate() {
        for alias in &param.aliases {
            let is_called_so = |(other, it): (usize, &ParamDescription)| {
                let has_alias = || it.aliases.iter().any(|known| known.name == alias.name);
                it.name == alias.name || other != index && has_alias()
            };
            if description.params.iter().enumerate().any(is_called_so) {
                findings.mistake(
                    &name,
                    format_args!(
                        "the alias `{}` of the parameter `{}` is also the name of a parameter, or \
                         an alias of another one",
                        alias.name, param.name
                    ),
                );
            }
        }
    }
}
