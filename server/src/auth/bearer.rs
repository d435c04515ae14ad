//! Callers with bearer tokens (RFC 6750).

use std::borrow::Cow;
use std::fmt;

use docent_core::{Authentication, Authenticator, Credentials, Identity};
use docent_describe::json::Json;

use super::lookup::Lookup;
use super::{credential, scheme};

/// Finds out who is calling by the token in `Authorization: Bearer …` (RFC 6750).
///
/// ```
/// use std::borrow::Cow;
///
/// use docent_server::{Bearer, Cx, Fault, Identity, Procedure, Service};
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
/// # Ok::<(), docent_server::BuildError>(())
/// ```
#[derive(Debug)]
pub struct Bearer<U>(Lookup<String, U>);

impl<U: Identity> Bearer<U> {
    /// Finds callers with an async function: it takes a token and returns its owner, `None` if the
    /// token is wrong, or an error if that cannot be found out, which becomes an Internal error.
    /// `realm` tells callers what is protected.
    ///
    /// Look tokens up by a hash, so that neither your database nor response times reveal them.
    pub fn new<E, F, Fut>(realm: impl Into<Box<str>>, find: F) -> Self
    where
        E: fmt::Display,
        F: Fn(String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<U>, E>> + Send + 'static, // not async: `Bearer::sync`
    {
        Self(Lookup::later(realm.into(), wrong, find))
    }

    /// Finds callers with a function that must not block; `None` if the token is wrong.
    pub fn sync(
        realm: impl Into<Box<str>>,
        find: impl Fn(String) -> Option<U> + Send + Sync + 'static,
    ) -> Self {
        Self(Lookup::at_once(realm.into(), wrong, find))
    }

    /// Describes, in Markdown, where callers get a token.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.0.description = Some(description.into());
        self
    }
}

/// Returns the challenge after a wrong token (RFC 6750, section 3.1).
fn wrong(realm: &str) -> String {
    credential::challenge("Bearer", realm) + ", error=\"invalid_token\""
}

impl<U: Identity> Authenticator for Bearer<U> {
    type Identity = U;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<U> {
        match credential::of_scheme("Bearer", &credentials) {
            // Bytes that are not UTF-8 are no valid token, and neither is their replacement with
            // U+FFFD.
            Some(token) => self.0.find(String::from_utf8_lossy(token).into_owned()),
            None => Authentication::ready(None),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        Cow::Owned(credential::challenge("Bearer", &self.0.realm))
    }

    fn scheme(&self) -> Option<(String, Json)> {
        Some(scheme::http("bearer", self.0.description.as_deref()))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Authorization".to_owned()])
    }
}
