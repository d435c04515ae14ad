//! Compares who may call a procedure.

use std::fmt::Display;

use docent_describe::{Credential, ProcedureDescription, Requirement};

use super::change::Document;
use super::pairs::Both;
use super::phrase::phrase;
use super::report::Report;
use super::rule::{Rule, Words};

pub(super) fn compare((old, new): Both<'_, ProcedureDescription>, report: &mut Report<'_, '_>) {
    // A guard that did not declare its credentials may always have required these.
    let required: Words = if old.guarded && old.security.is_empty() {
        (Rule::CredentialNamed, "change.credential.named")
    } else {
        Rule::CredentialRequired.into()
    };
    let mut partners = Vec::new();
    for (at, now) in new.security.iter().enumerate() {
        let partner = partner(old, now);
        let place = partner.unwrap_or(at);
        let mut report = report.element("security", place, at);
        match partner {
            Some(before) => requirement((&old.security[before], now), &mut report),
            None => report.now(required, "", &[&names(now)]),
        }
        partners.extend(partner);
    }
    for (at, before) in old.security.iter().enumerate() {
        let is_kept = partners.contains(&at) || new.security.iter().any(|now| implies(now, before));
        if !is_kept {
            report
                .element("security", at, at)
                .gone(Rule::CredentialDropped, "", &[&names(before)]);
        }
    }
    let (was_restricted, is_restricted) = (old.is_restricted(), new.is_restricted());
    let mut required = new.security.iter();
    if !was_restricted && is_restricted && new.security.is_empty() {
        report.now(Rule::GuardAdded, "guarded", &[]);
    } else if was_restricted && !is_restricted {
        report.now(Rule::GuardRemoved, "", &[]);
    } else if !old.guarded
        && new.guarded
        && required.all(|now| old.security.iter().any(|before| implies(before, now)))
    {
        // The required credentials are the same or fewer, and a guard is declared in addition.
        let words = (Rule::CredentialNamed, "change.guard.named");
        report.now(words, "guarded", &[]);
    }
}

/// Returns whether everyone who meets a requirement also meets the other one.
fn implies(requirement: &Requirement, other: &Requirement) -> bool {
    requirement
        .one_of
        .iter()
        .all(|credential| suffices(credential, other))
}

fn suffices(credential: &Credential, requirement: &Requirement) -> bool {
    let mut needed = requirement.one_of.iter();
    needed.any(|needed| credential.includes(needed))
}

/// Returns the place of the old requirement that has become this one: one that implies it, or else one of the same
/// schemes.
fn partner(old: &ProcedureDescription, now: &Requirement) -> Option<usize> {
    let shares = |before: &Requirement| before.one_of.iter().any(|it| of_scheme(now, it).is_some());
    let mut old = old.security.iter();
    let implying = old.clone().position(|before| implies(before, now));
    implying.or_else(|| old.position(shares))
}

/// Returns the credential of a requirement that has the scheme of another.
fn of_scheme<'r>(requirement: &'r Requirement, other: &Credential) -> Option<&'r Credential> {
    let mut credentials = requirement.one_of.iter();
    credentials.find(|credential| credential.scheme == other.scheme)
}

/// Compares the credentials of which one suffices.
fn requirement((old, new): Both<'_, Requirement>, report: &mut Report<'_, '_>) {
    let [refused, needed] = [Rule::CredentialRefused, Rule::ScopeRequired].map(Words::from);
    lacking(
        (old, new),
        [(refused, Document::Old), (needed, Document::New)],
        report,
    );
    let [accepted, dropped] = [Rule::CredentialAccepted, Rule::ScopeDropped].map(Words::from);
    lacking(
        (new, old),
        [(accepted, Document::New), (dropped, Document::Old)],
        report,
    );
}

/// Tells of the credentials of a requirement that do not meet another one, or of the scopes that they lack for that.
fn lacking(
    (requirement, other): Both<'_, Requirement>,
    [credential, scope]: [(Words, Document); 2],
    report: &mut Report<'_, '_>,
) {
    for own in requirement
        .one_of
        .iter()
        .filter(|own| !suffices(own, other))
    {
        let scheme = &own.scheme;
        let mut tell = |((rule, key), document): (Words, Document), values: &[&dyn Display]| {
            report.told(rule, document, "", phrase(key, values));
        };
        let Some(needed) = of_scheme(other, own) else {
            tell(credential, &[scheme]);
            continue;
        };
        for name in needed.scopes.iter().filter(|it| !own.scopes.contains(it)) {
            tell(scope, &[name, scheme]);
        }
    }
}

/// Returns the names of the schemes in a requirement.
fn names(requirement: &Requirement) -> String {
    let names: Vec<&str> = requirement
        .one_of
        .iter()
        .map(|credential| credential.scheme.as_str())
        .collect();
    names.join("` / `")
}
