//! `build()`: turns registrations into a service that keeps its promises, or into a list of all mistakes.
//!
//! ```text
//! Registration ─ identity, tools ─► Draft of each procedure
//!     ─ describe    parameters, result, errors, guards (`access`), `options`; names for shared types
//!     ─ enforce     a plan with the check of each parameter ─► Callable
//!     ─ examples, subscriptions, schemas: what is described has to hold
//!     ─ the same for the reserved procedures, which send the description ─ idle ─► Service, or a BuildError
//!                                                         all steps ─► Findings: mistakes and warnings
//! ```
//!
//! A [`Draft`] is one procedure that is being assembled. `assemble` and `finish_all` have the order of the steps, each
//! of which is a file with one subject: it visits the drafts, adds to the description, and reports to the [`Findings`].
//! No step stops at the first mistake, and none returns an error, because an author who mends one mistake after the
//! other builds ten times.
//!
//! Mistakes are what would make the description untrue or a call impossible. What is correct but has no effect, such as a
//! guard that covers nothing, is a warning ([`idle`]).
//!
//! All of this happens once, when the program starts. So a call finds everything decided: its guards, its limits, the plan
//! for its parameters. Checking on the first call would start faster, and a mistake would wait for that call.
//!
//! A service shares the registrations with the one that it extends, and nothing that was computed here.

mod access;
mod describe;
mod draft;
mod enforce;
mod examples;
mod findings;
mod identity;
mod idle;
mod options;
mod parameters;
mod schemas;
mod subscriptions;
mod tools;

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::{Components, ServiceDescription};

use super::callable::Callable;
use super::mistakes::BuildError;
use super::registration::Registration;
use super::renderings::Renderings;
use super::reserved;
use super::results::Results;
use super::state::{Frame, Inner, Service};
#[cfg(feature = "keys")]
use crate::keys::MemoryKeyStore;
use draft::{Draft, VisitedTypes};
use enforce::{Enforcer, ParamPlans};
use findings::Findings;
use schemas::Enforced;

/// Assembles a service from what its builder has collected. Each step goes on after mistakes, so that all of
/// them are reported at once.
pub(super) fn assemble(
    mut description: ServiceDescription,
    registration: Registration,
) -> Result<Service, BuildError> {
    let mut findings = Findings::default();
    identity::check(&description, registration.needs_version, &mut findings);
    for name in &registration.missing {
        let text = "there is no procedure with this name to replace or remove";
        findings.mistake(name, text);
    }
    identity::check_unsubscribe_aliases(&registration, &mut findings);
    access::check(&registration.gates, &mut findings);
    let mut frame = Frame::new(registration);
    let mut drafts = unique(&frame, &mut findings);
    let all_idempotent = frame.registration.idempotent_tools;
    tools::describe(&mut drafts, all_idempotent, &mut findings);
    let Assembled {
        callables,
        components,
        enforced,
    } = finish_all(drafts, &frame, &mut findings);
    add_procedures(&mut description, &callables, components, &enforced, &frame);
    let renderings = Arc::new(Renderings::new(description, &frame.registration));
    let reserved = reserve(&renderings, &frame, &mut findings);
    idle::warn(
        &callables,
        &reserved,
        &renderings.description,
        &frame.registration,
        &mut findings,
    );
    let Findings {
        mistakes,
        mut warnings,
    } = findings;
    let description = &renderings.description;
    if !mistakes.is_empty() {
        return Err(BuildError::new(&description.name, mistakes, warnings));
    }
    let registration = &frame.registration;
    let results = Results::new(
        description,
        registration.check_results,
        registration.limits.max_response_bytes,
        &mut |warning| warnings.push(warning),
    );
    frame.results = results.map(Arc::new);
    frame.warnings = warnings;
    #[cfg(feature = "keys")]
    if description
        .procs
        .iter()
        .any(|procedure| procedure.repeatable.is_some())
    {
        frame
            .registration
            .key_store
            .get_or_insert_with(|| Arc::new(MemoryKeyStore::new()));
    }
    let callables = callables
        .into_iter()
        .chain(reserved)
        .map(Arc::new)
        .collect();
    Ok(Service {
        inner: Arc::new(Inner::new(renderings, frame, callables)),
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
    frame: &Frame,
) {
    description.procs = callables
        .iter()
        .map(|callable| callable.callee.description.clone())
        .collect();
    description.components = components;
    description.enforced_formats = enforced
        .formats
        .iter()
        .map(|format| (*format).to_owned())
        .collect();
    description.security_schemes = frame.registration.gates.schemes().into_iter().collect();
}

/// Creates the reserved procedures, which send the description. Their mistakes are mistakes of the
/// service, but their warnings are dropped, because no description lists them.
fn reserve(renderings: &Arc<Renderings>, frame: &Frame, findings: &mut Findings) -> Vec<Callable> {
    let warnings = findings.warnings.len();
    let mut visited = VisitedTypes::default();
    let mut drafts = Vec::new();
    let aliases = &frame.registration.unsubscribe_aliases;
    for procedure in reserved::procedures(renderings, aliases) {
        let registered = Arc::new(procedure.bind(Arc::default()));
        drafts.push(Draft::new(registered, frame, &mut visited));
    }
    let assembled = finish_all(drafts, frame, findings);
    findings.warnings.truncate(warnings);
    assembled.callables
}

/// Creates the reserved procedures again, for another description of the same service. The checks
/// are the same as when the service was built.
pub(super) fn reserve_again(renderings: &Arc<Renderings>, frame: &Frame) -> Vec<Callable> {
    reserve(renderings, frame, &mut Findings::default())
}

/// Procedures that can be called, with what they have in common.
struct Assembled {
    callables: Vec<Callable>,
    components: Components,
    enforced: Enforced,
}

/// Turns drafts into procedures that can be called, and collects the components that they share.
fn finish_all(mut drafts: Vec<Draft>, frame: &Frame, findings: &mut Findings) -> Assembled {
    let registration = &frame.registration;
    let described = describe::describe(&mut drafts, registration, findings);
    let complete = described.is_some();
    let mut components = described.unwrap_or_default();
    let mut enforcer = Enforcer::new(&components, complete, &registration.limits);
    let mut callables = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let ParamPlans { plan, adapter } = enforcer.plan(&draft, findings);
        let mut callable = Callable {
            callee: Arc::new(draft.callee),
            plan,
            adapter,
            handler: Arc::clone(&draft.registered.handler),
        };
        examples::check(&mut callable, &mut enforcer, findings);
        subscriptions::check(&callable.callee.description, &components, findings);
        callables.push(callable);
    }
    let checked_formats = schemas::check(&callables, &components, &mut enforcer, findings);
    // Only compiling the schemas needs what is removed here.
    components.publish();
    for callable in &mut callables {
        Arc::make_mut(&mut callable.callee).description.publish();
    }
    Assembled {
        callables,
        components,
        enforced: checked_formats,
    }
}

/// Returns drafts of the procedures, without those whose names are taken, and checks their names.
fn unique(frame: &Frame, findings: &mut Findings) -> Vec<Draft> {
    let mut names = HashSet::new();
    let mut visited = VisitedTypes::default();
    let mut drafts = Vec::new();
    for registered in &frame.registration.procedures {
        identity::check_procedure_name(&registered.name, findings);
        if names.insert(&registered.name) {
            let mut draft = Draft::new(Arc::clone(registered), frame, &mut visited);
            draft.callee.description.ignores_unknown |= frame.registration.ignores_unknown;
            drafts.push(draft);
        } else {
            findings.mistake(
                &registered.name,
                "another procedure has the same name; rename one of them",
            );
        }
    }
    drafts
}
