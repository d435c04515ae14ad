//! The guards and authenticators of procedures.
//!
//! A procedure whose handler takes a caller needs an authenticator for this type, and scopes need
//! somebody who has them. Both can be missing only here, where all registrations are known.

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::ONE_OF;
use docent_describe::json::Json;

use super::draft::Draft;
use super::findings::Findings;
use crate::call::{Access, Gates};
use crate::caller::scheme_name;
use crate::response_field::is_field_name;

/// Collects the mistakes of guards, authenticators and rules that are independent of procedures.
pub(super) fn check(gates: &Gates, findings: &mut Findings) {
    #[cfg(feature = "rate-limits")]
    if let Some(problem) = gates
        .attempts
        .as_ref()
        .and_then(|attempts| attempts.problem())
    {
        findings.mistake_of_service(problem);
    }
    for guard in &gates.guards {
        let fields = guard.reads().unwrap_or_default();
        for problem in guard.problems().into_iter().chain(unreadable(&fields)) {
            findings.mistake_of_service(format_args!("a guard is misconfigured: {problem}"));
        }
    }
    if gates.schemes().iter().any(|(name, _)| name == ONE_OF) {
        findings.mistake_of_service(
            "a security scheme cannot be named `oneOf`, which lists alternatives in a description; rename it",
        );
    }
    check_schemes(gates, findings);
    let mut seen = HashSet::new();
    for authenticator in &gates.authenticators {
        if !seen.insert(authenticator.identity) {
            findings.mistake_of_service(format_args!(
                "two authenticators return callers of the type `{}`; remove one, or combine them with `either`",
                authenticator.name
            ));
        }
        let unreadable = unreadable(authenticator.reads().unwrap_or_default());
        for problem in authenticator.problems.iter().cloned().chain(unreadable) {
            findings
                .mistake_of_service(format_args!("an authenticator is misconfigured: {problem}"));
        }
    }
    if gates
        .rules
        .iter()
        .any(|(identity, _)| !seen.contains(identity))
    {
        findings.mistake_of_service(
            "`authorize` has a rule for callers of a type that no authenticator returns; add an \
             authenticator for it with `ServiceBuilder::authenticate`",
        );
    }
}

/// Collects the names that guards give to schemes which callers present differently: a description has one
/// definition for each name.
fn check_schemes(gates: &Gates, findings: &mut Findings) {
    let mut known: Vec<(String, Json)> = Vec::new();
    for (name, definition) in gates.guards.iter().filter_map(|guard| guard.scheme()) {
        if scheme_name(&known, &name, &definition) != name {
            findings.mistake_of_service(format_args!(
                "two guards use the name {name:?} for different security schemes; give each scheme a name \
                 of its own"
            ));
        }
        known.push((name, definition));
    }
}

/// Returns what is wrong with the names of header fields that a guard or an authenticator reads.
fn unreadable(fields: &[String]) -> impl Iterator<Item = String> {
    fields.iter().filter(|field| !is_field_name(field)).map(|field| {
        format!(
            "{field:?} is not a valid field name (RFC 9110, section 5.1); use one such as \"X-Api-Key\""
        )
    })
}

/// Gives a procedure the authenticator that it needs, if it needs one.
pub(super) fn post(draft: &mut Draft, gates: &Gates, protected: bool, findings: &mut Findings) {
    let name = &*draft.registered.name;
    let requirement = draft.registered.types.caller;
    let scopes = &draft.registered.options.scopes;
    let required = protected
        || !scopes.is_empty()
        || requirement.is_some_and(|requirement| requirement.required);
    if requirement.is_none() && !required {
        return;
    }
    let authenticator = match (requirement, &*gates.authenticators) {
        (Some(requirement), authenticators) => authenticators
            .iter()
            .find(|authenticator| authenticator.identity == requirement.identity),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(authenticator) = authenticator else {
        return match requirement {
            Some(requirement) => findings.mistake(
                name,
                format_args!(
                    "the handler takes a caller of the type `{}`, but no authenticator of the service \
                     returns one; add one with `ServiceBuilder::authenticate`",
                    requirement.name
                ),
            ),
            // `protect` is called once, however many procedures it selects.
            None if gates.authenticators.is_empty() && protected => findings.mistake_of_service(
                "`protect` requires known callers, but the service has no authenticator; add one with \
                 `ServiceBuilder::authenticate`",
            ),
            None if gates.authenticators.is_empty() => findings.mistake(
                name,
                "`scope` requires a known caller, but the service has no authenticator; add one with \
                 `ServiceBuilder::authenticate`",
            ),
            None if draft.callee.description.is_reserved() => findings.mistake_of_service(
                "`protect` selects the description, but the service has several authenticators and cannot \
                 choose one for it; write a guard that covers `rpc.describe`",
            ),
            None => findings.mistake(
                name,
                "`scope` or `protect` requires a known caller, but the service has several authenticators; \
                 choose one by letting the handler take its type of caller: `Cx<_, User>`",
            ),
        };
    };
    draft.errors.extend(&authenticator.errors);
    draft.callee.access = Some(Access {
        required,
        scopes: scopes.as_slice().into(),
        rules: gates.rules_of(authenticator.identity),
        authenticator: Arc::clone(authenticator),
    });
}
