//! Callers with bearer tokens (RFC 6750).
//!
//! It accepts any token that the author's function knows. A guard with one fixed token is
//! [`bearer_token`](super::bearer_token).

use docent_core::Credentials;
use docent_describe::json::Json;

use super::lookup::{CallerLookup, CredentialKind};
use super::{challenge, scheme};

/// Identifies callers by the token in `Authorization: Bearer …` (RFC 6750).
///
/// ```
/// use std::borrow::Cow;
///
/// use docent::{Bearer, Cx, Fault, Identity, Procedure, Service};
///
/// struct User(&'static str);
///
/// impl Identity for User {
///     fn id(&self) -> Cow<'_, str> {
///         Cow::from(self.0)
///     }
/// }
///
/// let service = Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534605")
///     .authenticate(Bearer::new("library", |token: String| async move {
///         // Ask the database for the hash of the token here.
///         Ok::<_, Fault>((token == "u7Qz.2fK~9").then_some(User("clara")))
///     }))
///     .procedure(Procedure::sync("whoami", |cx: Cx<(), User>, (): ()| {
///         Ok::<_, Fault>(cx.caller().0)
///     }))
///     .build()?;
/// assert!(service.is_guarded("whoami"));
/// # Ok::<(), docent::BuildError>(())
/// ```
pub type Bearer<U> = CallerLookup<Token, U>;

/// A bearer token.
#[derive(Debug)]
pub enum Token {}

impl CredentialKind for Token {
    type Credential = String;

    fn sent<'a>(_: &str, credentials: &Credentials<'a>) -> Option<&'a [u8]> {
        credentials.of_scheme("Bearer")
    }

    /// Tokens are not held to the characters of RFC 6750 (section 2.1), because some issuers use others.
    fn decode(token: &[u8]) -> Option<String> {
        let token = str::from_utf8(token).ok()?;
        if token.is_empty() || token.contains(|letter: char| letter.is_ascii_whitespace()) {
            return None;
        }
        Some(token.to_owned())
    }

    fn challenge(realm: &str) -> String {
        challenge::of_scheme("Bearer", realm)
    }

    /// RFC 6750, section 3.1.
    fn wrong(realm: &str) -> String {
        Self::challenge(realm) + ", error=\"invalid_token\""
    }

    fn scheme(_: &str, description: Option<&str>) -> (String, Json) {
        scheme::http("bearer", description)
    }
}
