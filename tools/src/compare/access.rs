//! Compares who may call a procedure.
//!
//! A procedure has requirements, which callers must all meet, and each is met by one of several credentials. A change
//! breaks callers if somebody met the old requirements and does not meet the new ones.

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
        Rule::CredentialNamed.told_as("change.credential.named")
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
                let given = Rule::CredentialAccepted.told_as("change.credential.given");
                report.changed(given, "", &[&scheme_names(requirement)]);
            }
            None => report.changed(required, "", &[&scheme_names(requirement)]),
        }
        partners.extend(partner);
    }
    for (at, before) in old.security.iter().enumerate() {
        let is_kept = partners.contains(&at) || new.security.iter().any(|now| implies(now, before));
        if !is_kept {
            let key = if before.optional {
                "change.credential.ignored"
            } else {
                "change.credential-dropped"
            };
            report.element("security", at, at).removed(
                Rule::CredentialDropped.told_as(key),
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
        let sentence = Rule::CredentialNamed.told_as("change.guard.named");
        report.changed(sentence, "guarded", &[]);
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
    let mut credentials = requirement.one_of.iter();
    (other.optional || !requirement.optional)
        && credentials.all(|credential| suffices(credential, other))
}

/// Returns whether a credential meets a requirement by itself.
fn suffices(credential: &Credential, requirement: &Requirement) -> bool {
    let mut needed = requirement.one_of.iter();
    needed.any(|needed| credential.includes(needed))
}

/// Returns the index of the old requirement that has become this one: one that implies it, or else one of the same
/// schemes.
fn find_partner(old: &ProcedureDescription, now: &Requirement) -> Option<usize> {
    let implying = |before: &Requirement| before.optional == now.optional && implies(before, now);
    let with_scheme = |before: &Requirement| {
        let mut credentials = before.one_of.iter();
        credentials.any(|credential| with_same_scheme(now, credential).is_some())
    };
    let mut old = old.security.iter();
    old.clone()
        .position(implying)
        .or_else(|| old.position(with_scheme))
}

/// Returns the credential of a requirement that has the scheme of another.
fn with_same_scheme<'r>(
    requirement: &'r Requirement,
    other: &Credential,
) -> Option<&'r Credential> {
    let mut credentials = requirement.one_of.iter();
    credentials.find(|credential| credential.scheme == other.scheme)
}

/// Compares the credentials of which one suffices. Old ones that no longer suffice break callers, new ones do not.
/// Callers who need none are not broken by those that no longer suffice.
fn compare_requirements(old: &Requirement, new: &Requirement, report: &mut ChangeReporter<'_, '_>) {
    match (old.optional, new.optional) {
        (false, true) => {
            let optional = Rule::CredentialDropped.told_as("change.credential.optional");
            report.changed(optional, "", &[&scheme_names(new)]);
        }
        (true, false) => report.changed(Rule::CredentialRequired, "", &[&scheme_names(new)]),
        _ => {}
    }
    for credential in &old.one_of {
        match lack(credential, new) {
            Some(MissingAccess::Scheme) if new.optional => {
                let ignored = Rule::CredentialDropped.told_as("change.credential.ignored");
                report.removed(ignored, "", &[&credential.scheme]);
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
                let accepted = Rule::CredentialAccepted.told_as("change.credential-accepted");
                report.changed(accepted, "", &[&credential.scheme]);
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
    let scopes = needed.scopes.iter();
    Some(MissingAccess::Scopes(
        scopes
            .filter(|scope| !credential.scopes.contains(scope))
            .collect(),
    ))
}

/// Returns the names of the schemes in a requirement.
fn scheme_names(requirement: &Requirement) -> String {
    let schemes = requirement.one_of.iter();
    let names: Vec<&str> = schemes.map(|credential| &*credential.scheme).collect();
    names.join("` / `")
}
