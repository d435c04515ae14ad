//! Compares who may call a procedure.

use docent_describe::ProcedureDescription;

use super::phrase::phrase;
use super::report::Report;
use super::rule::Rule;

pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut Report<'_, '_>,
) {
    // A guard that did not declare its credentials may always have required this one.
    let required = if old.guarded && old.security.is_empty() {
        (Rule::CredentialNamed, "change.credential.named")
    } else {
        (Rule::CredentialRequired, "change.credential.required")
    };
    for (at, (scheme, scopes)) in new.security.iter().enumerate() {
        let mut report = report.element("security", at, at);
        let Some(before) = old.security.get(scheme) else {
            report.now(required.0, "", phrase(required.1, &[scheme]));
            continue;
        };
        for scope in scopes.iter().filter(|scope| !before.contains(scope)) {
            let message = phrase("change.scope.required", &[scope, scheme]);
            report.now(Rule::ScopeRequired, "", message);
        }
    }
    for (at, (scheme, scopes)) in old.security.iter().enumerate() {
        let mut report = report.element("security", at, at);
        let Some(now) = new.security.get(scheme) else {
            let message = phrase("change.credential.dropped", &[scheme]);
            report.gone(Rule::CredentialDropped, "", message);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !now.contains(scope)) {
            let message = phrase("change.scope.dropped", &[scope, scheme]);
            report.gone(Rule::ScopeDropped, "", message);
        }
    }
    let (was_restricted, is_restricted) = (old.is_restricted(), new.is_restricted());
    let mut schemes = new.security.keys();
    if !was_restricted && is_restricted && new.security.is_empty() {
        let message = phrase("change.guard.added", &[]);
        report.now(Rule::GuardAdded, "guarded", message);
    } else if was_restricted && !is_restricted {
        report.now(Rule::GuardRemoved, "", phrase("change.guard.removed", &[]));
    } else if !old.guarded && new.guarded && schemes.all(|name| old.security.contains_key(name)) {
        // The required credentials are the same or fewer, and a guard is declared in addition.
        let message = phrase("change.guard.named", &[]);
        report.now(Rule::CredentialNamed, "guarded", message);
    }
}
