//! Compares who may call a procedure.

use super::phrase::phrase;
use super::{Report, Rule};
use docent_describe::ProcedureDescription;

pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut Report<'_>,
) {
    // A guard that did not declare its credentials may always have required this one.
    let was_silent = old.guarded && old.security.is_empty();
    for (at, (scheme, scopes)) in new.security.iter().enumerate() {
        let Some(before) = old.security.get(scheme) else {
            let (rule, key) = if was_silent {
                (Rule::CredentialNamed, "change.credential.named")
            } else {
                (Rule::CredentialRequired, "change.credential.required")
            };
            report.now(rule, &[&"security", &at], phrase(key).with(scheme));
            continue;
        };
        for scope in scopes.iter().filter(|scope| !before.contains(scope)) {
            let message = phrase("change.scope.required").with(scope).with(scheme);
            report.now(Rule::ScopeRequired, &[&"security", &at], message);
        }
    }
    for (at, (scheme, scopes)) in old.security.iter().enumerate() {
        let Some(now) = new.security.get(scheme) else {
            let message = phrase("change.credential.dropped").with(scheme);
            report.gone(Rule::CredentialDropped, &[&"security", &at], message);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !now.contains(scope)) {
            let message = phrase("change.scope.dropped").with(scope).with(scheme);
            report.gone(Rule::ScopeDropped, &[&"security", &at], message);
        }
    }
    let (was_restricted, is_restricted) = (old.is_restricted(), new.is_restricted());
    if !was_restricted && is_restricted && new.security.is_empty() {
        let message = phrase("change.guard.added");
        report.now(Rule::GuardAdded, &[&"guarded"], message);
    } else if was_restricted && !is_restricted {
        report.now(Rule::GuardRemoved, &[], phrase("change.guard.removed"));
    } else if !old.guarded
        && new.guarded
        && new
            .security
            .keys()
            .all(|scheme| old.security.contains_key(scheme))
    {
        // The required credentials are the same or fewer, and a guard is declared in addition.
        let message = phrase("change.guard.named");
        report.now(Rule::CredentialNamed, &[&"guarded"], message);
    }
}
