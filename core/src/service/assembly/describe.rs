//! Turns types and the author's settings into descriptions that share their components.
//!
//! A type is described once, however many procedures use it, and its components have one name in
//! the whole service.

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::schema::{ComponentsBuilder, Side};
use docent_describe::{Components, Credential, ProcedureDescription, ProcedureLimits, Requirement};
#[cfg(feature = "rate-limits")]
use docent_describe::{RateKey, RateLimit};
use indexmap::IndexMap;

use super::draft::Draft;
use super::findings::Findings;
use super::{access, options, parameters};
use crate::call::{Gates, Gauge, OwnLimits};
use crate::code;
use crate::errors::ErrorList;
use crate::guard::RegisteredGuard;
#[cfg(feature = "rate-limits")]
use crate::rates::Rate;
use crate::service::registration::Registration;
use crate::service::reserved;

/// Describes every procedure, and returns the components that they share. Returns `None` if two
/// types have the same name.
pub(super) fn describe(
    drafts: &mut [Draft],
    registration: &Registration,
    findings: &mut Findings,
) -> Option<Components> {
    for draft in &mut *drafts {
        findings.mistakes(&draft.registered.name, &draft.registered.options.mistakes);
        parameters::describe(draft, findings);
        add_result(draft, findings);
    }
    let describing = drafts
        .iter()
        .map(|draft| &draft.callee.description)
        .find(|description| description.name == reserved::WHOLE_DESCRIPTION)
        .cloned();
    let mut components = ComponentsBuilder::new();
    let mut collected = HashSet::new();
    for draft in &mut *drafts {
        cover(draft, &registration.gates, describing.as_ref(), findings);
        limit(draft);
        options::check(draft, registration, findings);
        add_errors(draft, findings);
        collect(draft, &mut components, &mut collected);
    }
    match components.finish() {
        Ok(shared) => {
            // A type that has one schema as input and another as output has a second name as input.
            for draft in drafts {
                for param in &mut draft.callee.description.params {
                    shared.rewrite_input(&mut param.schema);
                }
            }
            Some(shared.components)
        }
        Err(clashes) => {
            for clash in clashes {
                findings.mistake(&clash.procedure, &clash);
            }
            None
        }
    }
}

/// Describes the result from its type. The text of the author comes before that of the type.
fn add_result(draft: &mut Draft, findings: &mut Findings) {
    match &*draft.returns {
        Ok(schema) => {
            let mut returns = schema.returns.clone();
            let documented = draft.registered.options.returns.clone();
            returns.description = documented.or(returns.description);
            let description = &mut draft.callee.description;
            match &mut description.subscription {
                Some(subscription) => subscription.item = returns,
                None => description.returns = Some(returns),
            }
        }
        Err(problems) => findings.mistakes(&draft.registered.name, problems),
    }
}

/// Finds the guards of a procedure, and describes their effects. The guards of `describing`, the
/// procedure that returns the whole description, also cover its siblings.
fn cover(
    draft: &mut Draft,
    gates: &Gates,
    describing: Option<&ProcedureDescription>,
    findings: &mut Findings,
) {
    if draft.callee.is_always_admitted {
        return;
    }
    let own = &draft.callee.description;
    let protected = gates.protects(own) || describing.is_some_and(|other| gates.protects(other));
    let guards: Vec<_> = gates
        .guards
        .iter()
        .filter(|guard| guard.covers(own) || describing.is_some_and(|other| guard.covers(other)))
        .cloned()
        .collect();
    let mut security = IndexMap::new();
    for guard in &guards {
        let mut errors = ErrorList::default();
        guard.declare(&mut errors);
        draft.errors.extend(&errors);
        security.extend(guard.scheme().map(|(name, _)| (name, Vec::new())));
    }
    draft.callee.guards = guards.into_iter().map(RegisteredGuard::new).collect();
    access::post(draft, gates, protected, findings);
    let mut choice = None;
    if let Some(access) = &draft.callee.access {
        match &*gates.schemes_of(&access.authenticator) {
            [] => {}
            // A guard requires it already.
            [scheme] if !access.required && security.contains_key(scheme) => {}
            schemes if !access.required => {
                choice = Some(Requirement::optional(credentials(schemes, &[])));
            }
            [scheme] => security
                .entry(scheme.clone())
                .or_insert_with(Vec::new)
                .extend_from_slice(&access.scopes),
            several => choice = Some(Requirement::new(credentials(several, &access.scopes))),
        }
    }
    draft.callee.description.security = security
        .into_iter()
        .map(|(scheme, scopes)| {
            let mut credential = Credential::new(scheme);
            credential.scopes = scopes;
            credential.into()
        })
        .chain(choice)
        .collect();
    draft.callee.description.guarded = draft.callee.is_guarded();
}

/// Returns the credentials of several schemes, with these scopes.
fn credentials(schemes: &[String], scopes: &[String]) -> Vec<Credential> {
    schemes
        .iter()
        .map(|scheme| {
            let mut credential = Credential::new(scheme.clone());
            credential.scopes = scopes.to_vec();
            credential
        })
        .collect()
}

/// Describes and creates the limits that a procedure sets for itself.
fn limit(draft: &mut Draft) {
    let options = &draft.registered.options;
    let callee = &mut draft.callee;
    let mut limits = ProcedureLimits::default();
    limits.concurrent = options
        .max_concurrent
        .and_then(|calls| calls.try_into().ok());
    #[cfg(feature = "rate-limits")]
    if let Some(rate) = &options.rate {
        let by = match callee.access {
            Some(_) => RateKey::Caller,
            None => RateKey::Peer,
        };
        limits.rate = Some(RateLimit::new(rate.calls.into(), rate.per, by));
    }
    if limits == ProcedureLimits::default() {
        return;
    }
    callee.description.limits = Some(limits);
    callee.limits = Some(Arc::new(OwnLimits {
        gauge: options.max_concurrent.map(Gauge::new),
        #[cfg(feature = "rate-limits")]
        rate: options
            .rate
            .as_ref()
            .map(|rate| Rate::new(rate.calls, rate.per)),
    }));
}

/// Describes the errors that the procedure and its guards declare, and checks their codes and statuses.
fn add_errors(draft: &mut Draft, findings: &mut Findings) {
    let name = &draft.registered.name;
    findings.mistakes(name, &draft.errors.problems);
    let mut codes = HashSet::new();
    for error in draft.errors.distinct() {
        let code = error.code;
        if code::RESERVED.contains(&code) {
            let reserved =
                "is reserved for the protocol (-32768…-32000); choose one outside of this range";
            findings.mistake(name, format_args!("the error code {code} {reserved}"));
        }
        if !codes.insert(code) {
            findings.mistake(name, declared_twice(code));
        }
        if let Some(status) = error.status
            && !(400..600).contains(&status)
        {
            let what = format_args!("the status {status} of the error {code}");
            let text = format_args!("{what} is not an error status; use one from 400 to 599");
            findings.mistake(name, text);
        }
        draft.callee.description.errors.push(error.clone());
    }
    for code in draft.errors.repeated() {
        findings.mistake(name, declared_twice(code));
    }
}

fn declared_twice(code: i64) -> String {
    format!("the error code {code} is declared twice; declare it once, or use another code")
}

/// Collects the types that a procedure refers to. The schemas that procedures share are known by their
/// addresses, and collected once: comparing them with what is there takes time.
fn collect(draft: &Draft, components: &mut ComponentsBuilder, collected: &mut HashSet<usize>) {
    let name = &draft.registered.name;
    if let Ok(schema) = &*draft.params
        && collected.insert(Arc::as_ptr(&draft.params).addr())
    {
        components.merge_params(name, schema);
    }
    if let Ok(schema) = &*draft.returns
        && collected.insert(Arc::as_ptr(&draft.returns).addr())
    {
        components.merge(name, Side::Output, &schema.definitions);
    }
    for error in &draft.errors.errors {
        components.merge(name, Side::Output, &error.definitions);
    }
}
