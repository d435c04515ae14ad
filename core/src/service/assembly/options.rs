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
use crate::procedure::ProcedureOptions;
use crate::service::registration::Registration;

/// Collects mistakes and warnings about the options of a procedure. Called once it is known who guards it.
pub(super) fn check(draft: &Draft, registration: &Registration, findings: &mut Findings) {
    warn_of_changing_name(draft, findings);
    warn_of_idle_options(draft, &registration.limits, findings);
    check_cache_options(draft, findings);
    check_limits(draft, findings);
    check_repeatable(draft, registration, findings);
}

/// Collects mistakes in the options that only matter to GET and its caches.
fn check_cache_options(draft: &Draft, findings: &mut Findings) {
    let options = &draft.registered.options;
    let name = &draft.registered.name;
    if options.cache_for.is_some() && !options.described.idempotent {
        findings.mistake(
            name,
            "cache_for works only with GET, which calls only idempotent procedures; add `idempotent`, or \
             remove `cache_for`",
        );
    }
    if options.cache_for.is_some_and(|age| age.as_secs() == 0) {
        findings.mistake(
            name,
            "cache_for counts whole seconds, so a shorter time stores nothing; make it longer, or remove it",
        );
    }
    if options.has_version && !options.described.idempotent {
        findings.mistake(
            name,
            "etag_by works only with GET, which calls only idempotent procedures; add `idempotent`, or \
             remove `etag_by`",
        );
    }
    if options.shared_cache && !options.described.idempotent {
        findings.mistake(
            name,
            "shared_cache works only with GET, which calls only idempotent procedures; add `idempotent`, \
             or remove `shared_cache`",
        );
    }
    if options.shared_cache && draft.registered.types.caller.is_some() {
        findings.mistake(
            name,
            "shared_cache is for results that are the same for every caller, but the handler takes its \
             caller; remove one of them",
        );
    }
    if options.shared_cache && reads_undeclared(&draft.callee) {
        findings.mistake(
            name,
            "shared_cache could serve one caller's results to another, because a guard or the \
             authenticator does not declare the fields that it reads; implement `Guard::reads` or \
             `Authenticator::reads`",
        );
    }
}

/// Collects limits that would reject every call, and scopes that no caller could have.
fn check_limits(draft: &Draft, findings: &mut Findings) {
    let options = &draft.registered.options;
    let name = &draft.registered.name;
    if options.max_concurrent == Some(0) {
        findings.mistake(
            name,
            "max_concurrent(0) would reject every call; allow at least one",
        );
    }
    if options.timeout.is_some_and(|timeout| timeout.is_zero()) {
        findings.mistake(
            name,
            "timeout must be longer than zero; leave it out to use the timeout of the service",
        );
    }
    #[cfg(feature = "rate-limits")]
    if let Some(rate) = &options.rate {
        if rate.calls == 0 {
            findings.mistake(
                name,
                "rate(0, …) would reject every call; allow at least one",
            );
        }
        if rate.per.is_zero() {
            findings.mistake(name, "the time of `rate` must be longer than zero");
        }
    }
    if options.scopes.iter().any(String::is_empty) {
        findings.mistake(
            name,
            "a scope must not be empty; to accept any known caller, let the handler take its caller",
        );
    }
}

/// Collects mistakes in the options about calls with keys.
#[cfg_attr(
    not(feature = "keys"),
    expect(unused_variables, reason = "only stores have requirements")
)]
fn check_repeatable(draft: &Draft, registration: &Registration, findings: &mut Findings) {
    let options = &draft.registered.options;
    let name = &draft.registered.name;
    let Some(time) = options.described.repeatable else {
        #[cfg(feature = "keys")]
        if options.keys_without_caller {
            findings.mistake(
                name,
                "keys_without_caller has no effect without `repeatable`; add `repeatable`, or remove it",
            );
        }
        return;
    };
    if time.is_zero() {
        findings.mistake(name, "the time of `repeatable` must be longer than zero");
    }
    if options.described.idempotent {
        findings.mistake(
            name,
            "an idempotent procedure can be repeated without a key; remove `idempotent` or \
             `repeatable`",
        );
    }
    #[cfg(feature = "keys")]
    if let Some(store) = &registration.key_store
        && store.requires_once()
        && !draft.registered.types.returns_once
    {
        findings.mistake(
            name,
            "the key store keeps outcomes in the transactions of handlers: do the work in `cx.once(…)`, and return \
             its `Once`",
        );
    }
    #[cfg(feature = "keys")]
    if !options.keys_without_caller && !requires_caller(&draft.callee) {
        findings.mistake(
            name,
            "repeatable needs to know whom a key belongs to: let the handler take its caller \
             (`Cx<_, User>`) or add `ServiceBuilder::protect`; or, if callers may get each other's \
             results, add `keys_without_caller`",
        );
    }
}

/// Returns whether only known callers can call a procedure.
#[cfg(feature = "keys")]
fn requires_caller(callee: &Callee) -> bool {
    callee.access.as_ref().is_some_and(|access| access.required)
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
fn warn_of_changing_name(draft: &Draft, findings: &mut Findings) {
    let options = &draft.registered.options;
    let name = &draft.registered.name;
    if !options.described.idempotent || options.idempotent_because.is_some() {
        return;
    }
    if let Some(verb) = changing_verb(name) {
        findings.warning(
            name,
            format_args!(
                "its name says `{verb}`, but `idempotent` lets any web page call it with GET; if calls change \
                 something, remove `idempotent`; otherwise say why with `.idempotent_because(\"…\")`"
            ),
        );
    }
}

/// Warns about options that cannot have an effect.
fn warn_of_idle_options(draft: &Draft, limits: &Limits, findings: &mut Findings) {
    let options = &draft.registered.options;
    let name = &draft.registered.name;
    for (option, text) in texts(options) {
        if text.trim().is_empty() {
            findings.warning(
                name,
                format_args!("`{option}` is empty, so it says nothing; write a text, or remove it"),
            );
        }
    }
    if let Some(max_concurrent) = options.max_concurrent
        && max_concurrent >= limits.max_concurrent_calls
    {
        findings.warning(
            name,
            "max_concurrent is not below the limit `max_concurrent_calls` of the service, so it is never \
             reached; lower it, or remove it",
        );
    }
    if options.described.by_name_only && draft.callee.description.params.is_empty() {
        findings.warning(
            name,
            "by_name_only has no effect without parameters; remove it",
        );
    }
    if options.described.by_name_only && options.order.is_some() {
        findings.warning(
            name,
            "order is about positions, which by_name_only forbids; remove one of them",
        );
    }
}

/// Returns the texts that the author has set, each with the option that sets it. That of a member has its name.
fn texts(options: &ProcedureOptions) -> impl Iterator<Item = (&'static str, &String)> {
    let described = &options.described;
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
        ("documentation", &options.documentation),
        ("returns", &options.returns),
        ("idempotent_because", &options.idempotent_because),
    ];
    members
        .chain(others)
        .chain(of_deprecation)
        .filter_map(|(option, text)| Some((option, text.as_ref()?)))
        .chain(described.tags.iter().map(|tag| ("tag", tag)))
}
