//! The credentials that callers of a procedure bring: a list of requirements, and a sentence about them, both for
//! `procedure::about`.

use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use serde::Serialize;

use super::scope::PageText;
use crate::json_text::text_member;
use crate::markup::Markup;
use crate::strings::Strings;
use crate::text::display_name;

/// A requirement of a procedure: a caller must, or may, send one of several credentials.
#[derive(Serialize)]
pub(super) struct RequiredCredential {
    optional: bool,
    one_of: Vec<CredentialChoice>,
    /// The descriptions of the schemes.
    texts: Vec<CredentialText>,
}

/// A credential that meets a requirement.
#[derive(Serialize)]
struct CredentialChoice {
    /// The name of the security scheme.
    name: String,
    /// The address of the scheme, if the service describes it.
    href: Option<String>,
    scopes: Vec<String>,
    /// True if it is an optional bearer token, which gets a sentence of its own.
    token: bool,
}

/// The description of a security scheme.
#[derive(Serialize)]
struct CredentialText {
    /// The name of the scheme, if there are several.
    name: Option<String>,
    text: Markup,
}

/// Returns what a caller must or may bring.
pub(super) fn security(
    page: &PageText<'_>,
    description: &ServiceDescription,
    procedure: &ProcedureDescription,
) -> Vec<RequiredCredential> {
    let mut requirements = Vec::new();
    for requirement in &procedure.security {
        let mut one_of = Vec::new();
        let mut texts = Vec::new();
        for credential in &requirement.one_of {
            let scheme = description.security_schemes.get(&credential.scheme);
            let name = display_name(&credential.scheme);
            if let Some(scheme) = scheme
                && let Some(about_scheme) = text_member(scheme, "description")
            {
                texts.push(CredentialText {
                    name: (requirement.one_of.len() > 1).then(|| name.clone()),
                    text: page.inline(about_scheme),
                });
            }
            one_of.push(CredentialChoice {
                name,
                // A scheme that the service does not describe has no anchor to link to.
                href: scheme.map(|_| page.links.to_overview("access")),
                scopes: credential
                    .scopes
                    .iter()
                    .map(|scope| display_name(scope))
                    .collect(),
                token: requirement.optional && scheme.is_some_and(is_bearer),
            });
        }
        requirements.push(RequiredCredential {
            optional: requirement.optional,
            one_of,
            texts,
        });
    }
    requirements
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
    let required = procedure
        .security
        .iter()
        .filter(|requirement| !requirement.optional)
        .count();
    match required {
        0 if !procedure.guarded => None,
        0 => Some(strings.get("access.unsaid")),
        1 => Some(strings.get("access.one")),
        _ => Some(strings.get("access.all")),
    }
}
