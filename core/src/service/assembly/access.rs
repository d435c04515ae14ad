//! Which procedures ask who is calling, and who tells them.

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::Arc;

use super::draft::Draft;
use super::findings::Findings;
use super::guards;
use crate::call::{Access, Authority, Gates};
use crate::caller::Wanted;
use crate::service::mistakes::Mistake;

/// Collects what is wrong with authenticators and rules, whatever procedures there are.
pub(super) fn check(gates: &Gates, findings: &mut Findings) {
    let mut seen = HashSet::new();
    let mut mistake = |text: String| findings.mistakes.push(Mistake::of_service(text));
    for authority in &gates.authorities {
        if !seen.insert(authority.identity) {
            mistake(format!(
                "two authenticators give callers of the type `{}`; a service has one for each type",
                authority.name
            ));
        }
        let unreadable = guards::unreadable(authority.reads().unwrap_or_default());
        for problem in authority
            .authenticator
            .problems()
            .into_iter()
            .chain(unreadable)
        {
            mistake(format!("an authenticator is misconfigured: {problem}"));
        }
    }
    for (identity, _) in &gates.rules {
        if !seen.contains(identity) {
            mistake(
                "`authorize` has a rule for callers of a type that no authenticator gives; add one \
                 with `ServiceBuilder::authenticate`"
                    .to_owned(),
            );
        }
    }
}

/// Gives a procedure the authenticator that it needs, if it needs one.
pub(super) fn post(draft: &mut Draft, gates: &Gates, protected: bool, findings: &mut Findings) {
    let wanted = draft.registered.types.caller;
    let scopes = &draft.registered.about.scopes;
    let required = protected || !scopes.is_empty() || wanted.is_some_and(|it| it.required);
    if wanted.is_none() && !required {
        return;
    }
    if scopes.iter().any(String::is_empty) {
        findings.mistake(
            &draft.registered.name,
            "a scope must not be empty; where any known caller will do, let the handler take its caller",
        );
    }
    let authority = match find(gates, wanted) {
        Ok(authority) => authority,
        Err(mistake) => return findings.mistake(&draft.registered.name, mistake),
    };
    if wanted.is_some() && draft.registered.about.shared_cache {
        findings.mistake(
            &draft.registered.name,
            "shared_cache is for results that are the same for every caller, but the handler asks who \
             is calling",
        );
    }
    authority.authenticator.declare(&mut draft.errors);
    draft.access = Some(Access {
        required,
        scopes: scopes.as_slice().into(),
        rules: gates.rules_of(authority.identity),
        authority: Arc::clone(authority),
    });
}

/// The authenticator for a handler that asks for this caller, or for one that does not ask.
fn find(gates: &Gates, wanted: Option<Wanted>) -> Result<&Arc<Authority>, String> {
    let of = |identity: TypeId| gates.authorities.iter().find(|it| it.identity == identity);
    match (wanted, &*gates.authorities) {
        (Some(wanted), _) => of(wanted.identity).ok_or_else(|| {
            let name = wanted.name;
            format!(
                "the handler asks for a caller of the type `{name}`, which no authenticator of the \
                 service gives; add one with `ServiceBuilder::authenticate`"
            )
        }),
        (None, [only]) => Ok(only),
        (None, []) => Err(
            "the procedure needs to know its caller (`scope` or `protect`), but the \
                           service has no authenticator; add one with \
                           `ServiceBuilder::authenticate`"
                .to_owned(),
        ),
        (None, _) => Err(
            "the procedure needs to know its caller (`scope` or `protect`), but the service has \
             several authenticators; let the handler ask for one of their types: `Cx<_, User>`"
                .to_owned(),
        ),
    }
}
