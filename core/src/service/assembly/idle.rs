//! Warns about registrations that have no effect, or an unexpected one.

use std::sync::Arc;

use docent_describe::{ProcedureDescription, TypeCode};

use super::findings::Findings;
use crate::call::Gates;
use crate::service::callable::Callable;

/// Names that people give to the struct with all parameters.
const ALL_PARAMETERS: [&str; 3] = ["p", "params", "parameters"];

/// Checks all procedures together, including the reserved ones.
pub(super) fn note(
    callables: &[Callable],
    reserved: &[Callable],
    gates: &Gates,
    findings: &mut Findings,
) {
    for callable in callables {
        note_one(&callable.callee.description, findings);
    }
    if callables.is_empty() {
        findings.warnings.push(
            "the service has no procedures, so callers can do nothing but read its description; add \
             some with `ServiceBuilder::procedure` or `ServiceBuilder::procedures`"
                .to_owned(),
        );
        return;
    }
    let all = || callables.iter().chain(reserved).map(|it| &*it.callee);
    for guard in &gates.guards {
        if !all().any(|callee| callee.guards.iter().any(|posted| posted.is(guard))) {
            findings.warnings.push(
                "a guard covers no procedure, so it protects nothing; check the function that \
                 selects its procedures"
                    .to_owned(),
            );
        }
    }
    #[cfg(feature = "rate-limits")]
    if gates.attempts.is_some() && gates.guards.is_empty() && gates.authorities.is_empty() {
        findings.warnings.push(
            "failed_logins limits nothing, because there is neither a guard nor an authenticator"
                .to_owned(),
        );
    }
    for authority in &gates.authorities {
        let mut asked = all().filter_map(|callee| callee.access.as_ref());
        if !asked.any(|access| Arc::ptr_eq(&access.authority, authority)) {
            findings.warnings.push(format!(
                "no procedure asks who is calling, so anyone can call every procedure and the \
                 authenticator of `{}` is never used; take the caller in a handler, or call \
                 `Procedure::scope` or `ServiceBuilder::protect`",
                authority.name
            ));
        }
    }
}

fn note_one(procedure: &ProcedureDescription, findings: &mut Findings) {
    if procedure.idempotent && procedure.notification {
        findings.warning(
            &procedure.name,
            "an idempotent procedure changes nothing, so a notification of it has no effect; \
             remove `idempotent` or `notification`",
        );
    }
    if let [only] = &*procedure.params
        && only.type_code == TypeCode::Obj
        && ALL_PARAMETERS.contains(&&*only.name)
    {
        findings.warning(
            &procedure.name,
            format_args!(
                "its only parameter is an object named `{name}`, so callers send \
                 `{{\"{name}\": {{…}}}}`; if its fields should be the parameters, mark the argument \
                 with `#[params]`, or take the struct itself",
                name = only.name
            ),
        );
    }
}
