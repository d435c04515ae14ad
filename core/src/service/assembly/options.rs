//! The options of procedures that have no effect, contradict each other, or lack what they need.
//!
//! Each rule is about one procedure and its options. Rules about types and schemas are in the files
//! of those.

use docent_describe::changing_verb;
use docent_describe::render::{MemberField, PROCEDURE_MEMBERS};

use super::draft::Draft;
use super::findings::Findings;
use crate::call::Callee;
use crate::limits::Limits;
use crate::procedure::About;
use crate::service::registration::Registration;

/// Collects mistakes in the options of a procedure, and what is doubtful. Called once it is known who guards
/// it.
pub(super) fn check(draft: &Draft, registration: &Registration, findings: &mut Findings) {
    doubt_mark(draft, findings);
    note_idle(draft, &registration.limits, findings);
    let about = &draft.registered.about;
    let rules = [
        (
            about.max_concurrent == Some(0),
            "max_concurrent(0) would reject every call; allow at least one",
        ),
        (
            about.timeout.is_some_and(|timeout| timeout.is_zero()),
            "timeout must be longer than zero; leave it out to use the timeout of the service",
        ),
        #[cfg(feature = "rate-limits")]
        (
            about.rate.is_some_and(|(calls, _)| calls == 0),
            "rate(0, …) would reject every call; allow at least one",
        ),
        #[cfg(feature = "rate-limits")]
        (
            about.rate.is_some_and(|(_, per)| per.is_zero()),
            "the time of `rate` must be longer than zero",
        ),
        (
            about.scopes.iter().any(String::is_empty),
            "a scope must not be empty; to accept any known caller, let the handler take its caller",
        ),
        (
            about
                .described
                .repeatable
                .is_some_and(|time| time.is_zero()),
            "the time of `repeatable` must be longer than zero",
        ),
        (
            about.described.repeatable.is_some() && about.described.idempotent,
            "an idempotent procedure can be repeated without a key; remove `idempotent` or \
             `repeatable`",
        ),
        #[cfg(feature = "keys")]
        (
            about.keys_without_caller && about.described.repeatable.is_none(),
            "keys_without_caller has no effect without `repeatable`; add `repeatable`, or remove it",
        ),
        #[cfg(feature = "keys")]
        (
            about.described.repeatable.is_some()
                && !draft.registered.types.returns_once
                && registration
                    .key_store
                    .as_ref()
                    .is_some_and(|store| store.requires_once()),
            "the key store keeps outcomes in the transactions of handlers: do the work in `cx.once(…)`, and return \
             its `Once`",
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
    for (is_broken, text) in rules_of_get(draft).into_iter().chain(rules) {
        if is_broken {
            findings.mistake(&draft.registered.name, text);
        }
    }
}

/// Returns the rules for options that only matter to GET and its caches, and whether each is broken.
fn rules_of_get(draft: &Draft) -> [(bool, &'static str); 6] {
    let about = &draft.registered.about;
    let callee = &draft.callee;
    [
        (
            about.cache_for.is_some() && !about.described.idempotent,
            "cache_for works only with GET, which calls only idempotent procedures; add `idempotent`, or \
             remove `cache_for`",
        ),
        (
            about.cache_for.is_some_and(|age| age.as_secs() == 0),
            "cache_for counts whole seconds, so a shorter time stores nothing; make it longer, or remove it",
        ),
        (
            about.has_version && !about.described.idempotent,
            "etag_by works only with GET, which calls only idempotent procedures; add `idempotent`, or \
             remove `etag_by`",
        ),
        (
            about.shared_cache && !about.described.idempotent,
            "shared_cache works only with GET, which calls only idempotent procedures; add `idempotent`, \
             or remove `shared_cache`",
        ),
        (
            about.shared_cache && draft.registered.types.caller.is_some(),
            "shared_cache is for results that are the same for every caller, but the handler takes its \
             caller; remove one of them",
        ),
        (
            about.shared_cache && reads_undeclared(callee),
            "shared_cache could serve one caller's results to another, because a guard or the \
             authenticator does not declare the fields that it reads; implement `Guard::reads` or \
             `Authenticator::reads`",
        ),
    ]
}

/// Returns whether a guard does not declare which fields it reads. A shared cache knows only those that are declared:
/// it serves a stored response to every caller that sends the same values.
fn reads_undeclared(callee: &Callee) -> bool {
    callee
        .authenticator()
        .is_some_and(|authenticator| authenticator.reads().is_none())
        || callee.guards.iter().any(|guard| guard.reads().is_none())
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
            "its name says `{verb}`, but `idempotent` lets any web page call it with GET; if calls change \
             something, remove `idempotent`; otherwise say why with `.idempotent_because(\"…\")`"
        );
        findings.warning(name, text);
    }
}

/// Warns about options that cannot have an effect.
fn note_idle(draft: &Draft, limits: &Limits, findings: &mut Findings) {
    let about = &draft.registered.about;
    let name = &draft.registered.name;
    for (option, text) in texts(about) {
        if text.trim().is_empty() {
            let text =
                format_args!("`{option}` is empty, so it says nothing; write a text, or remove it");
            findings.warning(name, text);
        }
    }
    let by_name_only = about.described.by_name_only;
    let idle = [
        (
            about
                .max_concurrent
                .is_some_and(|most| most >= limits.max_concurrent_calls),
            "max_concurrent is not below the limit `max_concurrent_calls` of the service, so it is never \
             reached; lower it, or remove it",
        ),
        (
            by_name_only && draft.callee.description.params.is_empty(),
            "by_name_only has no effect without parameters; remove it",
        ),
        (
            by_name_only && about.order.is_some(),
            "order is about positions, which by_name_only forbids; remove one of them",
        ),
    ];
    for (_, text) in idle.iter().filter(|(is_idle, _)| *is_idle) {
        findings.warning(name, text);
    }
}

/// Returns the texts that the author has set, each with the option that sets it. That of a member has its name.
fn texts(about: &About) -> impl Iterator<Item = (&'static str, &String)> {
    let described = &about.described;
    let members = PROCEDURE_MEMBERS
        .iter()
        .filter_map(|member| match member.field {
            MemberField::Text { get, .. } => Some((member.name, get(described))),
            _ => None,
        });
    let of_deprecation = described
        .deprecated
        .iter()
        .flat_map(|deprecated| [&deprecated.since, &deprecated.reason, &deprecated.instead])
        .map(|text| ("deprecated", text));
    let others = [
        ("documentation", &about.documentation),
        ("returns", &about.returns),
        ("idempotent_because", &about.idempotent_because),
    ];
    members
        .chain(others)
        .chain(of_deprecation)
        .filter_map(|(option, text)| Some((option, text.as_ref()?)))
        .chain(described.tags.iter().map(|tag| ("tag", tag)))
}
