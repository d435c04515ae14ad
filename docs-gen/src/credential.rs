//! The credentials that samples and forms send: those that a request carries in a header field.
//!
//! `view/credentials` writes what a procedure requires, whether or not a header field can carry it. Schemes have the
//! keywords of OpenAPI, and most come from documents of others, so a scheme that is not understood is left out:
//!
//! | scheme | header field |
//! |---|---|
//! | `{"type": "http", "scheme": "bearer"}` | `Authorization`, with a token |
//! | `{"type": "apiKey", "in": "header", "name": "X-Key"}` | `X-Key`, with a key |
//! | `{"type": "apiKey", "in": "query", "name": "key"}` | none |

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription};

use crate::json_text::text_member;

/// The field of all credentials but keys.
const AUTHORIZATION: &str = "Authorization";

/// The kind of a credential, which decides how it is written into a header field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CredentialKind {
    /// A bearer token (RFC 6750).
    Token,
    /// A name and a password (RFC 7617).
    Password,
    /// A key, as it is.
    Key,
}

/// A credential in a header field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderCredential {
    /// The kind of the credential.
    pub(crate) kind: CredentialKind,
    /// The name of the header field. It is harmless in every language of the samples.
    pub(crate) field: String,
    /// True if the one before it suffices. Samples leave it out.
    pub(crate) is_alternative: bool,
    /// True if callers need none. Samples leave it out.
    pub(crate) is_optional: bool,
}

impl HeaderCredential {
    /// Returns the credentials of a procedure that a header field can carry, each once.
    pub(crate) fn of_procedure(
        service: &ServiceDescription,
        procedure: &ProcedureDescription,
    ) -> Vec<Self> {
        let mut credentials: Vec<Self> = Vec::new();
        for requirement in &procedure.security {
            let mut is_first = true;
            for credential in &requirement.one_of {
                let scheme = service.security_schemes.get(&credential.scheme);
                let Some(found) = scheme.and_then(Self::of_scheme) else {
                    continue;
                };
                if let Some(same) = credentials
                    .iter_mut()
                    .find(|other| other.kind == found.kind && other.field == found.field)
                {
                    same.is_alternative &= !is_first;
                    same.is_optional &= requirement.optional;
                } else {
                    // A request has each field once.
                    let is_field_taken = credentials.iter().any(|other| other.field == found.field);
                    credentials.push(Self {
                        is_alternative: !is_first || is_field_taken,
                        is_optional: requirement.optional,
                        ..found
                    });
                }
                is_first = false;
            }
        }
        credentials
    }

    /// Returns the credential of a security scheme, if a header field carries it.
    pub(crate) fn of_scheme(scheme: &Json) -> Option<Self> {
        match text_member(scheme, "type")? {
            "oauth2" | "openIdConnect" => Some(Self::new(CredentialKind::Token, AUTHORIZATION)),
            "http" => match &*text_member(scheme, "scheme")?.to_ascii_lowercase() {
                "bearer" => Some(Self::new(CredentialKind::Token, AUTHORIZATION)),
                "basic" => Some(Self::new(CredentialKind::Password, AUTHORIZATION)),
                _ => None,
            },
            "apiKey" if text_member(scheme, "in") == Some("header") => {
                let field = text_member(scheme, "name").filter(|name| is_plain(name))?;
                Some(Self::new(CredentialKind::Key, field))
            }
            _ => None,
        }
    }

    /// Creates a credential that callers must send.
    fn new(kind: CredentialKind, field: &str) -> Self {
        Self {
            kind,
            field: field.to_owned(),
            is_alternative: false,
            is_optional: false,
        }
    }

    /// Returns the credential for the script of the form.
    pub(crate) fn for_form(&self) -> Json {
        let kind = match self.kind {
            CredentialKind::Token => "token",
            CredentialKind::Password => "password",
            CredentialKind::Key => "key",
        };
        let credential = Object::new()
            .with("kind", kind)
            .with("field", &*self.field)
            .flag("or", self.is_alternative)
            .flag("optional", self.is_optional);
        Json::Object(credential)
    }
}

/// Returns whether the name of a field ends no quoted string in any language of the samples.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
