//! Warns about registrations that have no effect, or an unexpected one.
//!
//! Nothing here makes a service wrong. But a limit or a guard that covers nothing is hardly what
//! its author meant.

use std::sync::Arc;

use docent_describe::render::{INSTRUCTIONS, TOOL};
use docent_describe::{ProcedureDescription, ServiceDescription, TypeCode};

use super::findings::Findings;
use crate::call::{Callee, Gates};
use crate::limits::Limits;
use crate::service::callable::Callable;
use crate::service::registration::Registration;

/// Names that people give to the struct with all parameters.
const ALL_PARAMETERS: [&str; 3] = ["p", "params", "parameters"];

/// Checks all procedures together, including the reserved ones.
pub(super) fn warn(
    callables: &[Callable],
    reserved: &[Callable],
    description: &ServiceDescription,
    registration: &Registration,
    findings: &mut Findings,
) {
    note_limits(&registration.limits, findings);
    findings.warnings.extend_from_slice(&registration.idle);
    if description.version.as_deref() == Some("") {
        findings.warning_of_service("the version is empty; write a text, or leave it out");
    }
    for callable in callables {
        note_one(&callable.callee.description, findings);
    }
    if callables.is_empty() {
        findings.warning_of_service(
            "the service has no procedures, so callers can do nothing but read its description; add \
             some with `ServiceBuilder::procedure` or `ServiceBuilder::procedures`",
        );
        return;
    }
    note_unused(callables, description, registration, findings);
    let has_subscriptions = description
        .procs
        .iter()
        .any(|procedure| procedure.subscription.is_some());
    if !has_subscriptions && !registration.unsubscribe_aliases.is_empty() {
        findings.warning_of_service(
            "`unsubscribe_alias` has no effect, because the service has no subscription; remove it",
        );
    }
    let gates = &registration.gates;
    let callees: Vec<&Callee> = callables
        .iter()
        .chain(reserved)
        .map(|callable| &*callable.callee)
        .collect();
    for guard in &gates.guards {
        let first_covered = callees
            .iter()
            .find(|callee| callee.guards.iter().any(|registered| registered.is(guard)));
        match first_covered {
            None => findings.warning_of_service(
                "a guard covers no procedure, so it protects nothing; check how it selects procedures",
            ),
            Some(first) if guard.scheme().is_none() && !first.description.is_reserved() => findings
                .warning(
                    first.name(),
                    "its guard declares no scheme, so the description does not say which credentials \
                     are required; implement `Guard::scheme`",
                ),
            Some(_) => {}
        }
    }
    for select in &gates.protected {
        if !callees.iter().any(|callee| select(&callee.description)) {
            findings.warning_of_service(
                "`protect` selects no procedure, so it protects nothing; check how it selects procedures",
            );
        }
    }
    #[cfg(feature = "rate-limits")]
    if gates.attempts.is_some() && gates.guards.is_empty() && gates.authenticators.is_empty() {
        findings.warning_of_service(
            "failed_logins limits nothing, because there is neither a guard nor an authenticator",
        );
    }
    note_unasked(gates, &callees, findings);
}

/// Warns about authenticators that no procedure asks.
fn note_unasked(gates: &Gates, callees: &[&Callee], findings: &mut Findings) {
    for authenticator in &gates.authenticators {
        let is_asked = callees
            .iter()
            .filter_map(|callee| callee.authenticator())
            .any(|asked| Arc::ptr_eq(asked, authenticator));
        if !is_asked {
            findings.warning_of_service(format!(
                "no procedure asks who is calling, so anyone can call every procedure and the \
                 authenticator of `{}` is never used; take the caller in a handler, or call \
                 `Procedure::scope` or `ServiceBuilder::protect`",
                authenticator.name
            ));
        }
    }
}

/// Warns about limits that reject every call: only tests want them.
fn note_limits(limits: &Limits, findings: &mut Findings) {
    let mut zero_limits = Vec::new();
    if limits.max_body_bytes == 0 {
        zero_limits.push("max_body_bytes");
    }
    if limits.max_response_bytes == 0 {
        zero_limits.push("max_response_bytes");
    }
    if limits.max_depth == 0 {
        zero_limits.push("max_depth");
    }
    if limits.max_concurrent_calls == 0 {
        zero_limits.push("max_concurrent_calls");
    }
    if limits.timeout.is_zero() {
        zero_limits.push("timeout");
    }
    if limits.batch_timeout.is_some_and(|time| time.is_zero()) {
        zero_limits.push("batch_timeout");
    }
    for limit in zero_limits {
        findings.warning_of_service(format!(
            "the limit `{limit}` is zero, so every call is rejected; leave it out for the default"
        ));
    }
    if limits.max_batch_concurrency == 0 {
        findings.warning_of_service(
            "the limit `max_batch_concurrency` is zero, and one call of a batch runs anyway; set it to 1",
        );
    }
}

/// Warns about settings of the service that apply to none of its procedures.
fn note_unused(
    callables: &[Callable],
    description: &ServiceDescription,
    registration: &Registration,
    findings: &mut Findings,
) {
    if registration.idempotent_tools && !any(callables, |procedure| procedure.idempotent) {
        findings.warning_of_service(
            "`idempotent_tools` makes no tools, because no procedure is idempotent; mark those that change \
             nothing with `idempotent`, or remove it",
        );
    }
    #[cfg(feature = "keys")]
    if registration.key_store.is_some()
        && !any(callables, |procedure| procedure.repeatable.is_some())
    {
        findings.warning_of_service(
            "the key store keeps nothing, because no procedure is `repeatable`; mark some, or remove `key_store`",
        );
    }
    if registration.ignores_unknown && !any(callables, |procedure| procedure.ignores_unknown) {
        findings.warning_of_service(
            "`ignore_unknown` has no effect, because every procedure takes a list; remove it",
        );
    }
    if description.extensions.contains_key(INSTRUCTIONS) && !any(callables, is_tool) {
        findings.warning_of_service(
            "`instructions` are about tools, and no procedure is one; call `.tool()` on some, or remove it",
        );
    }
}

fn is_tool(procedure: &ProcedureDescription) -> bool {
    procedure.extensions.contains_key(TOOL)
}

/// Returns whether something holds for the description of a procedure.
fn any(callables: &[Callable], holds: fn(&ProcedureDescription) -> bool) -> bool {
    callables
        .iter()
        .any(|callable| holds(&callable.callee.description))
}

/// Warns about marks of a procedure without effect, and about parameters that are hardly what was meant.
fn note_one(procedure: &ProcedureDescription, findings: &mut Findings) {
    if procedure.idempotent && procedure.notification {
        let text = "an idempotent procedure changes nothing, so a notification of it has no effect; \
                    remove `idempotent` or `notification`";
        findings.warning(&procedure.name, text);
    }
    if let [only] = &*procedure.params
        && only.type_code == TypeCode::Obj
        && ALL_PARAMETERS.contains(&&*only.name)
    {
        let name = &only.name;
        let text = format_args!(
            "its only parameter is an object named `{name}`, so callers send `{{\"{name}\": {{…}}}}`; if \
             its fields should be the parameters, mark the argument with `#[params]`, or take the \
             struct itself"
        );
        findings.warning(&procedure.name, text);
    }
}
