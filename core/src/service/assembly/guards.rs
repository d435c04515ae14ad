//! The declarations of guards, and their effects on the description.

use std::sync::Arc;

use super::draft::Draft;
use super::findings::Findings;
use crate::call::Gates;
use crate::guard::Guard;
use crate::service::mistakes::Mistake;

/// Collects the problems that guards report, invalid field names, and an invalid limit on wrong
/// credentials.
pub(super) fn check(gates: &Gates, findings: &mut Findings) {
    #[cfg(feature = "rate-limits")]
    if let Some(problem) = gates.attempts.as_ref().and_then(|it| it.problem()) {
        findings.mistakes.push(Mistake::of_service(problem));
    }
    for guard in &gates.guards {
        let fields = guard.reads().unwrap_or_default();
        for problem in guard.problems().into_iter().chain(unreadable(&fields)) {
            let mistake = Mistake::of_service(format_args!("a guard is misconfigured: {problem}"));
            findings.mistakes.push(mistake);
        }
    }
}

/// Returns what is wrong with the names of header fields that a guard or an authenticator reads.
pub(super) fn unreadable(fields: &[String]) -> impl Iterator<Item = String> {
    let invalid = fields.iter().filter(|field| !is_field_name(field));
    invalid.map(|field| {
        format!(
            "{field:?} is not a valid field name, so no request has a header field of this name \
             (RFC 9110, section 5.1); use one such as \"X-Api-Key\""
        )
    })
}

/// Returns whether a field can have this name (RFC 9110, section 5.1). `*` is excluded: in a list of
/// names, it means that a response depends on anything at all.
fn is_field_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name != "*" && name.bytes().all(is_allowed)
}

/// Checks the guards of procedures with shared caches. A shared cache knows only the fields that a
/// guard declares: it serves a stored response to every caller that sends the same values. If the
/// guard decides by anything else, the cache bypasses it.
pub(super) fn check_shared_caches(drafts: &[Draft], findings: &mut Findings) {
    for draft in drafts.iter().filter(|it| it.registered.about.shared_cache) {
        let authority = draft.access.as_ref().map(|access| &access.authority);
        if draft.guards.iter().any(|guard| guard.reads().is_none())
            || authority.is_some_and(|authority| authority.reads().is_none())
        {
            findings.mistake(
                &draft.registered.name,
                "shared_cache needs guards that declare what they read (`Guard::reads`): \
                 otherwise a cache could serve one caller's results to another",
            );
        }
    }
}

/// Warns about guards without a scheme: the description marks the procedures that they cover but
/// does not say how to get access.
pub(super) fn note_silent(drafts: &[Draft], guards: &[Arc<dyn Guard>], findings: &mut Findings) {
    for guard in guards.iter().filter(|guard| guard.scheme().is_none()) {
        let covered = |draft: &&Draft| draft.guards.iter().any(|it| Arc::ptr_eq(it, guard));
        if let Some(first) = drafts.iter().find(covered) {
            findings.warning(
                &first.registered.name,
                "its guard declares no scheme, so the description does not say which credentials are \
                 required; implement `Guard::scheme`",
            );
        }
    }
}
