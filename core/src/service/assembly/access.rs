//! The procedures that need to know their callers, and the authenticators that find them out.

use std::collections::HashSet;
use std::sync::Arc;

use docent_describe::ProcedureDescription;

use super::draft::Draft;
use super::findings::Findings;
use super::guards;
use crate::call::{Access, Authority, Gates};
use crate::caller::Wanted;
use crate::service::mistakes::Mistake;

/// Collects the mistakes of authenticators and rules that do not depend on procedures.
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
        for problem in authority.problems.iter().cloned().chain(unreadable) {
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
        Err(lack) => return lack.report(&draft.description, protected, findings),
    };
    if wanted.is_some() && draft.registered.about.shared_cache {
        findings.mistake(
            &draft.registered.name,
            "shared_cache is for results that are the same for every caller, but the handler asks who \
             is calling",
        );
    }
    draft.errors.extend(&authority.errors);
    draft.access = Some(Access {
        required,
        scopes: scopes.as_slice().into(),
        rules: gates.rules_of(authority.identity),
        authority: Arc::clone(authority),
    });
}

/// The reason why there is no authenticator for a procedure.
enum Lack {
    /// No authenticator identifies callers by the type that the handler takes.
    Type(&'static str),
    /// The service has no authenticator.
    Any,
    /// The service has several, and the handler does not take a caller that would select one.
    Choice,
}

impl Lack {
    fn report(self, of: &ProcedureDescription, protected: bool, findings: &mut Findings) {
        let procedure = &*of.name;
        match self {
            Self::Type(name) => findings.mistake(
                procedure,
                format_args!(
                    "the handler asks for a caller of the type `{name}`, which no authenticator of \
                     the service gives; add one with `ServiceBuilder::authenticate`"
                ),
            ),
            // `protect` is called once, however many procedures it selects.
            Self::Any if protected => findings.mistake_of_service(
                "`protect` requires that callers are known, but the service has no authenticator; \
                 add one with `ServiceBuilder::authenticate`",
            ),
            Self::Any => findings.mistake(
                procedure,
                "`scope` requires that the caller is known, but the service has no authenticator; \
                 add one with `ServiceBuilder::authenticate`",
            ),
            Self::Choice if of.is_reserved() => findings.mistake_of_service(
                "`protect` selects the description, for which the service cannot choose one of its \
                 authenticators; write a guard that covers `rpc.describe`",
            ),
            Self::Choice => findings.mistake(
                procedure,
                "the procedure needs to know its caller (`scope` or `protect`), but the service has \
                 several authenticators; let the handler ask for one of their types: `Cx<_, User>`",
            ),
        }
    }
}

/// Finds the authenticator for a handler that takes this caller, or that takes none.
fn find(gates: &Gates, wanted: Option<Wanted>) -> Result<&Arc<Authority>, Lack> {
    match (wanted, &*gates.authorities) {
        (Some(wanted), authorities) => authorities
            .iter()
            .find(|it| it.identity == wanted.identity)
            .ok_or(Lack::Type(wanted.name)),
        (None, [only]) => Ok(only),
        (None, []) => Err(Lack::Any),
        (None, _) => Err(Lack::Choice),
    }
}
