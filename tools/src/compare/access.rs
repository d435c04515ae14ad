//! Compares who may call a procedure.
//!
//! A procedure has requirements, which callers must all meet, and each is met by one of several credentials: `[card or
//! token, pin]` asks for a PIN beside a card or a token. A change breaks callers if somebody met the old requirements
//! and does not meet the new ones. So each new requirement is compared with the old one that it has become, and
//! credentials within them one by one.

use docent_describe::{Credential, ProcedureDescription, Requirement};

use super::report::ChangeReporter;
use super::rule::Rule;

/// Compares requirements, each with the one that it has become, and then whether there is a guard at all.
pub(super) fn compare(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    // A guard that did not declare its credentials may always have required these.
    let required = if old.guarded && required(old).next().is_none() {
        Rule::CredentialNamed.sentence("change.credential.named")
    } else {
        Rule::CredentialRequired.into()
    };
    let mut partners = Vec::new();
    for (at, requirement) in new.security.iter().enumerate() {
        let partner = find_partner(old, requirement);
        let mut report = report.element("security", partner.unwrap_or(at), at);
        match partner {
            Some(before) => {
                compare_requirements(&old.security[before], requirement, &mut report);
            }
            None if requirement.optional => {
                report.changed(
                    Rule::CredentialAccepted.sentence("change.credential.given"),
                    "",
                    &[&scheme_names(requirement)],
                );
            }
            None => report.changed(required, "", &[&scheme_names(requirement)]),
        }
        partners.extend(partner);
    }
    for (at, before) in old.security.iter().enumerate() {
        let is_still_required =
            partners.contains(&at) || new.security.iter().any(|now| implies(now, before));
        if !is_still_required {
            let key = if before.optional {
                "change.credential.ignored"
            } else {
                "change.credential-dropped"
            };
            report.element("security", at, at).removed(
                Rule::CredentialDropped.sentence(key),
                "",
                &[&scheme_names(before)],
            );
        }
    }
    compare_guards(old, new, report);
}

/// Compares whether a procedure is guarded. A guard behind the same credentials only says more than before.
fn compare_guards(
    old: &ProcedureDescription,
    new: &ProcedureDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let was_restricted = old.is_restricted();
    let is_restricted = new.is_restricted();
    if !was_restricted && is_restricted && required(new).next().is_none() {
        report.changed(Rule::GuardAdded, "guarded", &[]);
    } else if was_restricted && !is_restricted {
        report.changed(Rule::GuardRemoved, "", &[]);
    } else if !old.guarded
        && new.guarded
        && required(new).all(|now| required(old).any(|before| implies(before, now)))
    {
        // The required credentials are the same or fewer, and a guard is declared in addition.
        report.changed(
            Rule::CredentialNamed.sentence("change.guard.named"),
            "guarded",
            &[],
        );
    }
}

/// Returns what callers must bring.
fn required(procedure: &ProcedureDescription) -> impl Iterator<Item = &Requirement> {
    procedure
        .security
        .iter()
        .filter(|requirement| !requirement.optional)
}

/// Returns whether everyone who meets a requirement also meets the other one, with a credential that both know.
fn implies(requirement: &Requirement, other: &Requirement) -> bool {
    (other.optional || !requirement.optional)
        && requirement
            .one_of
            .iter()
            .all(|credential| suffices(credential, other))
}

/// Returns whether a credential meets a requirement by itself.
fn suffices(credential: &Credential, requirement: &Requirement) -> bool {
    requirement
        .one_of
        .iter()
        .any(|needed| credential.includes(needed))
}

/// Returns the index of the old requirement that has become this one: one that implies it, or else one of the same
/// schemes.
fn find_partner(old: &ProcedureDescription, now: &Requirement) -> Option<usize> {
    old.security
        .iter()
        .position(|before| before.optional == now.optional && implies(before, now))
        .or_else(|| {
            old.security
                .iter()
                .position(|before| share_scheme(before, now))
        })
}

/// Returns whether two requirements accept a credential of the same scheme.
fn share_scheme(requirement: &Requirement, other: &Requirement) -> bool {
    requirement
        .one_of
        .iter()
        .any(|credential| with_same_scheme(other, credential).is_some())
}

/// Returns the credential of a requirement that has the scheme of another.
fn with_same_scheme<'r>(
    requirement: &'r Requirement,
    other: &Credential,
) -> Option<&'r Credential> {
    requirement
        .one_of
        .iter()
        .find(|credential| credential.scheme == other.scheme)
}

/// Compares the credentials of which one suffices. Old ones that no longer suffice break callers, new ones do not.
/// Callers who need none are not broken by those that no longer suffice.
fn compare_requirements(old: &Requirement, new: &Requirement, report: &mut ChangeReporter<'_, '_>) {
    match (old.optional, new.optional) {
        (false, true) => {
            report.changed(
                Rule::CredentialDropped.sentence("change.credential.optional"),
                "",
                &[&scheme_names(new)],
            );
        }
        (true, false) => report.changed(Rule::CredentialRequired, "", &[&scheme_names(new)]),
        _ => {}
    }
    for credential in &old.one_of {
        match lack(credential, new) {
            Some(MissingAccess::Scheme) if new.optional => {
                report.removed(
                    Rule::CredentialDropped.sentence("change.credential.ignored"),
                    "",
                    &[&credential.scheme],
                );
            }
            Some(MissingAccess::Scheme) => {
                report.removed(Rule::CredentialRefused, "", &[&credential.scheme]);
            }
            Some(MissingAccess::Scopes(scopes)) => {
                for scope in scopes {
                    report.changed(Rule::ScopeRequired, "", &[scope, &credential.scheme]);
                }
            }
            None => {}
        }
    }
    for credential in &new.one_of {
        match lack(credential, old) {
            Some(MissingAccess::Scheme) => {
                report.changed(
                    Rule::CredentialAccepted.sentence("change.credential-accepted"),
                    "",
                    &[&credential.scheme],
                );
            }
            Some(MissingAccess::Scopes(scopes)) => {
                for scope in scopes {
                    report.removed(Rule::ScopeDropped, "", &[scope, &credential.scheme]);
                }
            }
            None => {}
        }
    }
}

/// The reason why a credential does not meet a requirement.
enum MissingAccess<'r> {
    /// The requirement does not accept its scheme.
    Scheme,
    /// These scopes are missing.
    Scopes(Vec<&'r String>),
}

/// Returns what a credential lacks to meet a requirement, if it does not.
fn lack<'r>(credential: &Credential, requirement: &'r Requirement) -> Option<MissingAccess<'r>> {
    if suffices(credential, requirement) {
        return None;
    }
    let Some(needed) = with_same_scheme(requirement, credential) else {
        return Some(MissingAccess::Scheme);
    };
    let mut missing = Vec::new();
    for scope in &needed.scopes {
        if !credential.scopes.contains(scope) {
            missing.push(scope);
        }
    }
    Some(MissingAccess::Scopes(missing))
}

/// Returns the names of the schemes in a requirement.
fn scheme_names(requirement: &Requirement) -> String {
    let mut names = Vec::new();
    for credential in &requirement.one_of {
        names.push(credential.scheme.as_str());
    }
    names.join("` / `")
}
