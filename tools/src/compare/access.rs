//! Compares who may call a procedure.

use docent_describe::ProcedureDescription;
use indexmap::IndexMap;

use super::pairs::Both;
use super::report::Report;
use super::rule::Rule;

pub(super) fn compare((old, new): Both<'_, ProcedureDescription>, report: &mut Report<'_, '_>) {
    // A guard that did not declare its credentials may always have required this one.
    let required = if old.guarded && old.security.is_empty() {
        (Rule::CredentialNamed, "change.credential.named")
    } else {
        Rule::CredentialRequired.into()
    };
    let scopes_in = |procedure: &ProcedureDescription| -> IndexMap<String, Vec<String>> {
        let credentials = procedure.credentials();
        credentials
            .map(|it| (it.scheme.clone(), it.scopes.clone()))
            .collect()
    };
    let (had, has) = (scopes_in(old), scopes_in(new));
    for (at, (scheme, scopes)) in has.iter().enumerate() {
        let mut report = report.element("security", at, at);
        let Some(before) = had.get(scheme) else {
            report.now(required, "", &[scheme]);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !before.contains(scope)) {
            report.now(Rule::ScopeRequired, "", &[scope, scheme]);
        }
    }
    for (at, (scheme, scopes)) in had.iter().enumerate() {
        let mut report = report.element("security", at, at);
        let Some(now) = has.get(scheme) else {
            report.gone(Rule::CredentialDropped, "", &[scheme]);
            continue;
        };
        for scope in scopes.iter().filter(|scope| !now.contains(scope)) {
            report.gone(Rule::ScopeDropped, "", &[scope, scheme]);
        }
    }
    let (was_restricted, is_restricted) = (old.is_restricted(), new.is_restricted());
    let mut schemes = has.keys();
    if !was_restricted && is_restricted && new.security.is_empty() {
        report.now(Rule::GuardAdded, "guarded", &[]);
    } else if was_restricted && !is_restricted {
        report.now(Rule::GuardRemoved, "", &[]);
    } else if !old.guarded && new.guarded && schemes.all(|name| had.contains_key(name)) {
        // The required credentials are the same or fewer, and a guard is declared in addition.
        let words = (Rule::CredentialNamed, "change.guard.named");
        report.now(words, "guarded", &[]);
    }
}
