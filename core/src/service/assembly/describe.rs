//! Turns types and the author's settings into descriptions that share their components.

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::schema::{ComponentsBuilder, ShapeProblem, SharedComponents, Side};
use docent_describe::{CachePolicy, Components, ProcedureDescription};
use indexmap::IndexMap;

use super::access;
use super::draft::Draft;
use super::findings::Findings;
use super::guards::{check_shared_caches, note_silent};
#[cfg(feature = "keys")]
use super::keys;
use super::own_limits;
use super::parameters;
use super::shapes::Shapes;
use crate::call::Gates;
use crate::code;
use crate::errors::ErrorList;
use crate::guard::Guard;
use crate::procedure::{About, Registered};
use crate::service::mistakes::Mistake;
use crate::service::reserved;

/// Describes every procedure, and returns the components that they share. Returns `None` if two
/// types have the same name.
pub(super) fn describe(
    drafts: &mut [Draft],
    gates: &Gates,
    findings: &mut Findings,
) -> Option<Components> {
    let mut components = ComponentsBuilder::new();
    for draft in &mut *drafts {
        parameters::put_in_order(draft, findings);
        draft.description = describe_one(&draft.registered, &draft.shapes, findings);
    }
    let mut descriptions = drafts.iter().map(|draft| &draft.description);
    let whole = descriptions.find(|description| description.name == reserved::WHOLE);
    let whole = whole.cloned();
    for draft in &mut *drafts {
        cover(draft, gates, whole.as_ref(), findings);
        add_errors(&mut draft.description, &draft.errors, findings);
        collect(draft, &mut components);
    }
    note_silent(drafts, &gates.guards, findings);
    check_shared_caches(drafts, findings);
    match components.finish() {
        Ok(shared) => {
            rewrite(drafts, &shared);
            Some(shared.components)
        }
        Err(clashes) => {
            findings.mistakes.extend(
                clashes
                    .into_iter()
                    .map(|clash| Mistake::of_procedure(&clash.procedure, &clash)),
            );
            None
        }
    }
}

/// Returns the cache policy of a procedure, if it declares one.
fn cache(about: &About) -> Option<CachePolicy> {
    (about.cache_for.is_some() || about.shared_cache).then(|| CachePolicy {
        max_age: about.cache_for.unwrap_or_default(),
        shared: about.shared_cache,
    })
}

fn describe_one(
    registered: &Registered,
    shapes: &Shapes,
    findings: &mut Findings,
) -> ProcedureDescription {
    let Registered {
        name, types, about, ..
    } = registered;
    if about.cache_for.is_some() && !about.idempotent {
        findings.mistake(
            name,
            "cache_for needs an idempotent procedure: no other can be called with GET",
        );
    }
    if about.shared_cache && !about.idempotent {
        findings.mistake(
            name,
            "shared_cache needs an idempotent procedure: no other can be called with GET",
        );
    }
    let mut description = ProcedureDescription {
        name: name.clone(),
        idempotent: about.idempotent,
        notification: about.notification,
        tags: about.tags.clone(),
        examples: about.examples.clone(),
        deprecated: about.deprecated.clone(),
        errors_open: types.errors.open,
        cache: cache(about),
        repeatable: about.repeatable,
        unchecked: about.unchecked.clone(),
        ..ProcedureDescription::default()
    };
    for mistake in &about.mistakes {
        findings.mistake(name, mistake);
    }
    parameters::add(&mut description, shapes, about, findings);
    match &*shapes.returns {
        Ok(shape) => {
            let mut returns = shape.returns.clone();
            returns.description = about.returns.clone().or(returns.description);
            description.returns = Some(returns);
        }
        Err(problems) => {
            // Problems of a type that is both taken and returned have been reported already.
            let told = shapes.params.as_ref().as_ref().err();
            let is_told = |problem: &&ShapeProblem| told.is_some_and(|it| it.contains(problem));
            let new = problems.iter().filter(|problem| !is_told(problem));
            new.for_each(|problem| findings.mistake(name, problem));
        }
    }
    description
}

/// Finds the guards of a procedure, and describes their effects. The guards of `whole`, the
/// procedure that returns the whole description, also cover its siblings.
fn cover(
    draft: &mut Draft,
    gates: &Gates,
    whole: Option<&ProcedureDescription>,
    findings: &mut Findings,
) {
    let is_selected = |select: &dyn Fn(&ProcedureDescription) -> bool| {
        select(&draft.description) || whole.is_some_and(select)
    };
    let protected = is_selected(&|it| gates.protects(it));
    let covers = |guard: &&Arc<dyn Guard>| is_selected(&|it| guard.covers(it));
    let guards: Vec<_> = gates.guards.iter().filter(covers).cloned().collect();
    for guard in &guards {
        guard.declare(&mut draft.errors);
    }
    draft.guards = guards;
    access::post(draft, gates, protected, findings);
    #[cfg(feature = "keys")]
    keys::check(draft, findings);
    own_limits::describe(draft, findings);
    let mut security = IndexMap::new();
    for (name, _) in draft.guards.iter().filter_map(|guard| guard.scheme()) {
        security.insert(name, Vec::new());
    }
    if let Some(access) = draft.access.as_ref().filter(|access| access.required)
        && let Some((name, _)) = &access.authority.scheme
    {
        security.insert(name.clone(), Vec::new());
    }
    if let Some(access) = &draft.access
        && let Some((scheme, _)) = &access.authority.scheme
        && let Some(scopes) = security.get_mut(scheme)
    {
        scopes.extend_from_slice(&access.scopes);
    }
    draft.description.security = security;
    draft.description.guarded = draft.is_guarded();
}

fn add_errors(description: &mut ProcedureDescription, errors: &ErrorList, findings: &mut Findings) {
    let name = &description.name;
    errors
        .problems
        .iter()
        .for_each(|problem| findings.mistake(name, problem));
    let mut codes = HashSet::new();
    let errors = errors.distinct();
    for (error, _) in &errors {
        let error_code = error.code;
        if code::RESERVED.contains(&error_code) {
            findings.mistake(
                name,
                format_args!(
                    "the error code {error_code} is reserved for the protocol \
                              (-32768…-32000)"
                ),
            );
        }
        if !codes.insert(error_code) {
            findings.mistake(
                name,
                format_args!("the error code {error_code} is declared twice"),
            );
        }
        if let Some(status) = error.status
            && !(400..600).contains(&status)
        {
            findings.mistake(
                name,
                format_args!(
                    "the status {status} of the error {error_code} is not an error status (400–599)"
                ),
            );
        }
    }
    description.errors = errors.iter().map(|(error, _)| error.clone()).collect();
}

fn collect(draft: &Draft, components: &mut ComponentsBuilder) {
    let name = &draft.registered.name;
    if let Ok(shape) = &*draft.shapes.params {
        components.merge_params(name, shape);
    }
    if let Ok(shape) = &*draft.shapes.returns {
        components.merge(name, Side::Output, &shape.definitions);
    }
    for (_, definitions) in &draft.errors.errors {
        components.merge(name, Side::Output, definitions);
    }
}

/// Renames types that have one schema as input and another as output: as input, they have a second
/// name.
fn rewrite(drafts: &mut [Draft], shared: &SharedComponents) {
    if !shared.has_renames() {
        return;
    }
    for param in drafts
        .iter_mut()
        .flat_map(|draft| &mut draft.description.params)
    {
        shared.rewrite_input(&mut param.schema);
    }
}
