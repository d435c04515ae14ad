//! A guard that requires a bearer token (RFC 6750).
//!
//! It is for services with a single secret, and finds out no caller. Authenticators do that.

use std::borrow::Cow;

use docent_core::{CallInfo, Guard, Rejection};
use docent_describe::ProcedureDescription;
use docent_describe::json::Json;
use hmac_sha256::Hash;

use super::{challenge, scheme};

/// Requires `Authorization: Bearer …` with the right token. Other callers get 401 with a challenge
/// (RFC 6750, section 3).
///
/// Only a hash of the token is stored, and it is compared in constant time, so response times
/// reveal nothing about the token.
///
/// ```
/// use docent::{BearerToken, Cx, Fault, Procedure, Service};
///
/// let service = Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534603")
///     .procedure(Procedure::sync("stats", |_: Cx, (): ()| Ok::<_, Fault>(42)).idempotent())
///     .procedure(Procedure::sync("add", |_: Cx, (): ()| Ok::<_, Fault>(43)))
///     .guard(BearerToken::new("library", "u7Qz.2fK~9", |procedure| !procedure.idempotent))
///     .build()?;
/// assert!(!service.is_guarded("stats"));
/// assert!(service.is_guarded("add"));
/// # Ok::<(), docent::BuildError>(())
/// ```
#[derive(Clone)]
pub struct BearerToken {
    /// The hash of the token, or why no caller can be accepted.
    expected: Result<[u8; 32], &'static str>,
    realm: Box<str>,
    description: Option<Box<str>>,
    covers: fn(&ProcedureDescription) -> bool,
}

impl BearerToken {
    /// Requires this token for the procedures that `covers` selects, such as `|procedure|
    /// !procedure.idempotent`. `realm` tells callers what the token protects.
    ///
    /// A token may contain the characters of RFC 6750 (section 2.1): letters, digits and `-._~+/`,
    /// with `=` at the end. `build()` returns an error for any other token, including an empty one.
    pub fn new(
        realm: impl Into<Box<str>>,
        token: impl AsRef<[u8]>,
        covers: fn(&ProcedureDescription) -> bool,
    ) -> Self {
        let expected = match token.as_ref() {
            [] => Err("the token is empty"),
            token if Self::is_token(token) => Ok(Hash::hash(token)),
            // The text may be a secret with a typing error, so the message does not repeat it.
            _ => Err(
                "the token has characters that a bearer token cannot have (RFC 6750, section 2.1)",
            ),
        };
        Self {
            expected,
            realm: realm.into(),
            description: None,
            covers,
        }
    }

    /// Describes where callers get the token, in Markdown.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Returns whether this text is a valid token (RFC 6750, section 2.1).
    pub fn is_token(text: impl AsRef<[u8]>) -> bool {
        let text = text.as_ref();
        let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
        let unpadded = &text[..text.len() - padding];
        !unpadded.is_empty()
            && unpadded
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(byte))
    }

    fn is_right(&self, given: &[u8]) -> bool {
        let expected = self.expected;
        expected.is_ok_and(|expected| Hash::verify(given, &expected))
    }

    fn rejection(&self, error: &str) -> Rejection {
        Rejection::unauthorized(self.challenge().into_owned() + error)
    }
}

impl Guard for BearerToken {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        match attempt.credentials.of_scheme("Bearer") {
            Some(given) if self.is_right(given) => Ok(()),
            Some(_) => Err(self.rejection(", error=\"invalid_token\"")),
            None => Err(self.rejection("")),
        }
    }

    fn covers(&self, procedure: &ProcedureDescription) -> bool {
        (self.covers)(procedure)
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Authorization".to_owned()])
    }

    fn challenge(&self) -> Cow<'static, str> {
        challenge::of_scheme("Bearer", &self.realm).into()
    }

    fn scheme(&self) -> Option<(String, Json)> {
        Some(scheme::http("bearer", self.description.as_deref()))
    }

    fn problems(&self) -> Vec<String> {
        match self.expected {
            Ok(_) => Vec::new(),
            Err(reason) => vec![format!("`BearerToken` {:?}: {reason}", self.realm)],
        }
    }
}

impl std::fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Neither the token nor its hash goes into logs.
        f.debug_struct("BearerToken")
            .field("realm", &self.realm)
            .finish_non_exhaustive()
    }
}
