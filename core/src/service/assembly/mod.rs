//! `build()`: turns registrations into a service that keeps its promises, or into a list of all
//! mistakes.
//!
//! Every step visits each procedure, adds to its description, and collects its mistakes. No step
//! stops at the first mistake.

mod access;
mod common_limits;
mod describe;
mod draft;
mod enforce;
mod examples;
mod findings;
mod guards;
mod identity;
mod idle;
#[cfg(feature = "keys")]
mod keys;
mod own_limits;
mod parameters;
mod registration;
mod schemas;
mod shapes;
mod tools;

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::json::Json;
use docent_describe::schema::publish_formats;
use docent_describe::{Components, ServiceDescription};

use super::callable::Callable;
use super::mistakes::BuildError;
use super::renderings::Renderings;
use super::reserved;
use super::results::Results;
use super::state::{Frame, Inner, Service};
use crate::call::{Callee, Gates, Gauge};
use crate::guard::Posted;
use crate::incident::Incidents;
use crate::limits::Limits;
use crate::procedure::Registered;
use draft::Draft;
use enforce::{Enforcer, Plans};
use findings::Findings;
pub(super) use registration::{Previous, Registration};
use schemas::Enforced;
use shapes::Seen;

/// The member of a description with the maximum length of text that is matched against a pattern.
const PATTERN_TEXT: &str = "$patternText";

pub(super) fn assemble(registration: Registration) -> Result<Service, BuildError> {
    let Registration {
        mut description,
        limits,
        protocols,
        openrpc,
        gates,
        observers,
        procedures,
        missing,
        previous,
        check_results,
        #[cfg(feature = "keys")]
        key_store,
        idempotent_tools,
    } = registration;
    let mut findings = Findings::default();
    identity::check(&description, &mut findings);
    identity::check_extension(previous.as_ref(), &missing, &description, &mut findings);
    common_limits::check(&limits, &mut findings);
    guards::check(&gates, &mut findings);
    access::check(&gates, &mut findings);
    let drafts = unique(&procedures, &mut findings);
    let tools = tools::find(&procedures, idempotent_tools, &mut findings);
    let incidents = Arc::new(Incidents::default());
    let gauge = Arc::new(Gauge::new(limits.max_concurrent_calls));
    let common = Common {
        limits: &limits,
        gauge: &gauge,
        incidents: &incidents,
    };
    let Finished {
        mut callables,
        components,
        enforced,
    } = finish_all(drafts, &gates, common, &mut findings);
    tools::publish(&tools, &mut callables);
    add_procedures(&mut description, &callables, components, &enforced, &limits);
    description.security_schemes = gates.schemes().collect();
    let renderings = Arc::new(Renderings::new(description, openrpc));
    let reserved = reserve(&renderings, &gates, common, &mut findings);
    idle::note(&callables, &reserved, &gates, &mut findings);
    let description = &renderings.description;
    if !findings.mistakes.is_empty() {
        return Err(BuildError::new(&description.name, findings.mistakes));
    }
    let unknown = &mut |warning| findings.warnings.push(warning);
    let results = Results::new(description, check_results, unknown).map(Arc::new);
    #[cfg(feature = "keys")]
    let key_store = keys::store(key_store, description);
    let frame = Frame {
        warnings: findings.warnings,
        results,
        gauge,
        limits,
        protocols,
        gates,
        observers: observers.into(),
        incidents,
        procedures: procedures.into(),
        check_results,
        #[cfg(feature = "keys")]
        key_store,
        idempotent_tools,
    };
    let callables = callables.into_iter().chain(reserved).map(Arc::new);
    let inner = Inner::new(renderings, frame, callables.collect());
    Ok(Service {
        inner: Arc::new(inner),
        runtime: None,
        has_room: None,
    })
}

/// Adds the procedures to the description of the service, and what is enforced of their schemas.
fn add_procedures(
    description: &mut ServiceDescription,
    callables: &[Callable],
    components: Components,
    enforced: &Enforced,
    limits: &Limits,
) {
    let procedures = callables.iter().map(|it| it.callee.description.clone());
    description.procs = procedures.collect();
    description.components = components;
    let formats = enforced.formats.iter().copied().map(str::to_owned);
    description.enforced_formats = formats.collect();
    if enforced.has_patterns {
        let most = i64::try_from(limits.max_pattern_chars).unwrap_or(i64::MAX);
        let extensions = &mut description.extensions;
        extensions.insert(PATTERN_TEXT.to_owned(), Json::from(most));
    }
}

/// Creates the reserved procedures, which send the description. Their mistakes are mistakes of the
/// service, but their warnings are dropped, because no description lists them.
fn reserve(
    renderings: &Arc<Renderings>,
    gates: &Gates,
    common: Common<'_>,
    findings: &mut Findings,
) -> Vec<Callable> {
    let mut seen = Seen::default();
    let procedures = reserved::procedures(renderings).into_iter();
    let drafts =
        procedures.map(|procedure| Draft::new(Arc::new(procedure.bind(Arc::new(()))), &mut seen));
    let mut own = Findings::default();
    let finished = finish_all(drafts.collect(), gates, common, &mut own);
    findings.take_new(own.mistakes);
    finished.callables
}

/// Creates the reserved procedures again, for another description of the same service.
pub(super) fn reserve_again(renderings: &Arc<Renderings>, frame: &Frame) -> Vec<Callable> {
    let common = Common {
        limits: &frame.limits,
        gauge: &frame.gauge,
        incidents: &frame.incidents,
    };
    let mut findings = Findings::default();
    let callables = reserve(renderings, &frame.gates, common, &mut findings);
    // The checks are the same as when the service was built.
    debug_assert!(findings.mistakes.is_empty(), "{:?}", findings.mistakes);
    callables
}

/// The settings that all procedures of a service share.
#[derive(Clone, Copy)]
struct Common<'a> {
    limits: &'a Limits,
    gauge: &'a Arc<Gauge>,
    incidents: &'a Arc<Incidents>,
}

/// The result of finishing drafts.
struct Finished {
    callables: Vec<Callable>,
    /// The components that the procedures share.
    components: Components,
    enforced: Enforced,
}

/// Turns drafts into procedures that can be called, and collects the components that they share.
fn finish_all(
    mut drafts: Vec<Draft>,
    gates: &Gates,
    common: Common<'_>,
    findings: &mut Findings,
) -> Finished {
    let described = describe::describe(&mut drafts, gates, findings);
    let complete = described.is_some();
    let mut components = described.unwrap_or_default();
    let mut enforcer = Enforcer::new(&components, complete, common.limits);
    let callables = drafts.into_iter().map(|draft| {
        let plans = enforcer.plans(&draft, findings);
        let mut callable = finish(draft, plans, common);
        examples::check(&mut callable, &mut enforcer, findings);
        callable
    });
    let mut callables: Vec<Callable> = callables.collect();
    let found = schemas::check(&callables, &components, &mut enforcer, findings);
    publish(&mut callables, &mut components);
    Finished {
        callables,
        components,
        enforced: found,
    }
}

/// Removes from the schemas what only their compilation needs.
fn publish(callables: &mut [Callable], components: &mut Components) {
    components.schemas_mut().for_each(publish_formats);
    for callable in callables {
        let callee = Arc::make_mut(&mut callable.callee);
        callee.description.schemas_mut().for_each(publish_formats);
    }
}

/// Returns drafts of the procedures, without those whose names are taken, and checks their names.
fn unique(procedures: &[Arc<Registered>], findings: &mut Findings) -> Vec<Draft> {
    let mut names = HashSet::new();
    let mut drafts = Vec::with_capacity(procedures.len());
    let mut seen = Seen::default();
    for registered in procedures {
        identity::check_procedure_name(&registered.name, findings);
        if names.insert(registered.name.clone()) {
            drafts.push(Draft::new(Arc::clone(registered), &mut seen));
        } else {
            findings.mistake(&registered.name, "the name is taken by another procedure");
        }
    }
    drafts
}

fn finish(draft: Draft, plans: Plans, common: Common<'_>) -> Callable {
    let Plans { plan, adapter } = plans;
    let limits = own_limits::enforce(&draft);
    let about = &draft.registered.about;
    Callable {
        callee: Arc::new(Callee {
            is_unknown: false,
            description: draft.description,
            timeout: about.timeout.unwrap_or(common.limits.timeout),
            cache_for: about.cache_for,
            shared_cache: about.shared_cache,
            has_plain_result: draft.registered.types.has_plain_result,
            guards: draft.guards.into_iter().map(Posted::new).collect(),
            access: draft.access,
            limits,
            gauge: Arc::clone(common.gauge),
            incidents: Arc::clone(common.incidents),
        }),
        plan,
        adapter,
        handler: Arc::clone(&draft.registered.handler),
    }
}
