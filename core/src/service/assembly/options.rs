//! The options of procedures that have no effect, contradict each other, or lack what they need.
//!
//! Each rule is about one procedure and its options. Rules about types and schemas are in the files
//! of those.

use docent_describe::changing_verb;

use super::draft::Draft;
use super::findings::Findings;
use crate::call::Callee;

/// Collects mistakes in the options of a procedure, and what is doubtful. Called once it is known who guards
/// it.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    doubt_mark(draft, findings);
    let about = &draft.registered.about;
    let rules = [
        (
            about.max_concurrent == Some(0),
            "max_concurrent(0) would reject every call; allow at least one",
        ),
        (
            about.timeout.is_some_and(|timeout| timeout.is_zero()),
            "timeout needs a time that is longer than zero; without it, the timeout of the service \
             applies",
        ),
        #[cfg(feature = "rate-limits")]
        (
            about.rate.is_some_and(|(calls, _)| calls == 0),
            "rate(0, …) would reject every call; allow at least one",
        ),
        #[cfg(feature = "rate-limits")]
        (
            about.rate.is_some_and(|(_, per)| per.is_zero()),
            "rate needs a time that is longer than zero",
        ),
        (
            about.scopes.iter().any(String::is_empty),
            "a scope must not be empty; where any known caller will do, let the handler take its caller",
        ),
        (
            about
                .described
                .repeatable
                .is_some_and(|time| time.is_zero()),
            "repeatable needs a time that is longer than zero",
        ),
        (
            about.described.repeatable.is_some() && about.described.idempotent,
            "an idempotent procedure can be repeated without a key; remove `idempotent` or \
             `repeatable`",
        ),
        #[cfg(feature = "keys")]
        (
            about.keys_without_caller && about.described.repeatable.is_none(),
            "keys_without_caller is for procedures that are `repeatable`",
        ),
        #[cfg(feature = "keys")]
        (
            about.described.repeatable.is_some()
                && !about.keys_without_caller
                && draft
                    .callee
                    .access
                    .as_ref()
                    .is_none_or(|access| !access.required),
            "repeatable needs to know whom a key belongs to: let the handler take its caller \
             (`Cx<_, User>`) or add `ServiceBuilder::protect`; or, if callers may get each other's \
             results, add `keys_without_caller`",
        ),
    ];
    let about_get = rules_of_get(draft);
    for (is_broken, text) in about_get.into_iter().chain(rules) {
        if is_broken {
            findings.mistake(&draft.registered.name, text);
        }
    }
}

/// Returns the rules for options that only matter to GET and its caches, and whether each is broken.
fn rules_of_get(draft: &Draft) -> [(bool, &'static str); 5] {
    let about = &draft.registered.about;
    let callee = &draft.callee;
    [
        (
            about.cache_for.is_some() && !about.described.idempotent,
            "cache_for needs an idempotent procedure: no other can be called with GET",
        ),
        (
            about.has_version && !about.described.idempotent,
            "etag_by needs an idempotent procedure: no other can be called with GET",
        ),
        (
            about.shared_cache && !about.described.idempotent,
            "shared_cache needs an idempotent procedure: no other can be called with GET",
        ),
        (
            about.shared_cache && draft.registered.types.caller.is_some(),
            "shared_cache is for results that are the same for every caller, but the handler asks who \
             is calling",
        ),
        (
            about.shared_cache && reads_undeclared(callee),
            "shared_cache needs guards that declare what they read (`Guard::reads`): otherwise a \
             cache could serve one caller's results to another",
        ),
    ]
}

/// Returns whether a guard does not declare which fields it reads. A shared cache knows only those that are declared:
/// it serves a stored response to every caller that sends the same values.
fn reads_undeclared(callee: &Callee) -> bool {
    let authorities = callee.authority().into_iter();
    let mut reads = authorities
        .map(|authority| authority.reads())
        .chain(callee.guards.iter().map(|guard| guard.reads()));
    reads.any(|fields| fields.is_none())
}

/// Warns about a procedure that is marked as changing nothing, and whose name says the opposite.
fn doubt_mark(draft: &Draft, findings: &mut Findings) {
    let about = &draft.registered.about;
    let name = &draft.registered.name;
    if !about.described.idempotent || about.idempotent_because.is_some() {
        return;
    }
    if let Some(verb) = changing_verb(name) {
        let text = format_args!(
            "`idempotent` means safe: calls change nothing, so GET may make them, from any page. Its name \
             says `{verb}`; remove `idempotent`, or, if nothing changes, say why with \
             `.idempotent_because(\"…\")`"
        );
        findings.warning(name, text);
    }
}
