//! The credentials that callers of a procedure bring: a list of requirements, and a sentence about them.

use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use serde_json::Value;

use super::scope::PageText;
use crate::json_text::text_member;
use crate::strings::Strings;
use crate::text::shown_name;

/// Returns what a caller must or may bring: of each requirement, one of several credentials.
pub(super) fn security(
    page: &PageText<'_>,
    description: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> Vec<Value> {
    let schemes = &description.security_schemes;
    let requirements = procedure.security.iter().map(|requirement| {
        let one_of = requirement.one_of.iter().map(|credential| {
            let scopes = credential.scopes.iter().map(|scope| shown_name(scope));
            view!({
                "name": shown_name(&credential.scheme),
                // A scheme without a description has no anchor to link to.
                "href": schemes.get(&credential.scheme).map(|_| page.links.to_overview("access")),
                "scopes": scopes.collect::<Value>(),
                "token": requirement.optional && schemes.get(&credential.scheme).is_some_and(is_bearer),
            })
        });
        let texts = requirement.one_of.iter().filter_map(|credential| {
            let words = text_member(schemes.get(&credential.scheme)?, "description")?;
            // One of several is about its own credential.
            let name = (requirement.one_of.len() > 1).then(|| shown_name(&credential.scheme));
            Some(view!({ "name": name, "text": page.inline(words) }))
        });
        view!({
            "optional": requirement.optional,
            "one_of": one_of.collect::<Value>(),
            "texts": texts.collect::<Value>(),
        })
    });
    requirements.collect()
}

/// Returns whether callers present the credentials of a scheme as a bearer token.
fn is_bearer(scheme: &Json) -> bool {
    text_member(scheme, "scheme").is_some_and(|name| name.eq_ignore_ascii_case("bearer"))
}

/// Returns a sentence about the required credentials, or `None` if anyone may call.
pub(super) fn security_note<'s>(
    strings: &'s Strings,
    procedure: &ProcedureDescription,
) -> Option<&'s str> {
    let requirements = procedure.security.iter();
    match requirements
        .filter(|requirement| !requirement.optional)
        .count()
    {
        0 if !procedure.guarded => None,
        0 => Some(strings.get("access.unsaid")),
        1 => Some(strings.get("access.one")),
        _ => Some(strings.get("access.all")),
    }
}
