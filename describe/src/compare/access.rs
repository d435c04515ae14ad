//! Who may call a procedure.

use super::{Report, Rule};
use crate::ProcedureDescription;

pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut Report<'_>,
) {
    // A guard that did not say how to get in may always have wanted this credential.
    let was_silent = old.guarded && old.security.is_empty();
    for (at, (scheme, scopes)) in new.security.iter().enumerate() {
        let Some(before) = old.security.get(scheme) else {
            let (rule, message) = if was_silent {
                (Rule::CredentialNamed, "is named")
            } else {
                (Rule::CredentialRequired, "is required")
            };
            let message = format_args!("The credential `{scheme}` {message}.");
            report.now(rule, &[&"security", &at], message);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !before.contains(scope)) {
            let message = format_args!("The scope `{scope}` of `{scheme}` is required.");
            report.now(Rule::ScopeRequired, &[&"security", &at], message);
        }
    }
    for (at, (scheme, scopes)) in old.security.iter().enumerate() {
        let Some(now) = new.security.get(scheme) else {
            let message = format_args!("The credential `{scheme}` is no longer required.");
            report.gone(Rule::CredentialDropped, &[&"security", &at], message);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !now.contains(scope)) {
            let message = format_args!("The scope `{scope}` of `{scheme}` is no longer required.");
            report.gone(Rule::ScopeDropped, &[&"security", &at], message);
        }
    }
    let was_free = !old.guarded && old.security.is_empty();
    let is_free = !new.guarded && new.security.is_empty();
    if was_free && !is_free && new.security.is_empty() {
        report.now(Rule::GuardAdded, &[&"guarded"], "It is guarded now.");
    } else if !was_free && is_free {
        report.now(Rule::GuardRemoved, &[], "It is no longer guarded.");
    } else if !old.guarded
        && new.guarded
        && new
            .security
            .keys()
            .all(|scheme| old.security.contains_key(scheme))
    {
        // What was required is required still, and there may be more to it.
        report.now(
            Rule::CredentialNamed,
            &[&"guarded"],
            "It is said to be guarded.",
        );
    }
}
