//! Callers with a name and a password (RFC 7617).

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use docent_core::{Authentication, Authenticator, Credentials, Identity, Rejection};
use docent_describe::json::Json;

use super::lookup::Lookup;
use super::{credential, scheme};

/// Finds out who is calling by the name and password in `Authorization: Basic …` (RFC 7617).
///
/// Passwords are sent with every request, so use TLS. Checking a password hash takes time: use
/// [`new`](Self::new), and do the work on a thread that may block.
#[derive(Debug)]
pub struct Basic<U>(Lookup<Login, U>);

/// The name and password that a caller sends.
#[derive(Clone)]
#[non_exhaustive]
pub struct Login {
    /// The name, without a colon.
    pub name: String,
    /// The password.
    pub password: String,
}

impl<U: Identity> Basic<U> {
    /// Finds callers with an async function: it takes a login and returns its owner, `None` if the
    /// login is wrong, or an error if that cannot be found out, which becomes an Internal error.
    /// `realm` tells callers what is protected.
    pub fn new<E, F, Fut>(realm: impl Into<Box<str>>, find: F) -> Self
    where
        E: fmt::Display,
        F: Fn(Login) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<U>, E>> + Send + 'static, // not async: `Basic::sync`
    {
        Self(Lookup::later(realm.into(), challenge, find))
    }

    /// Finds callers with a function that must not block; `None` if the login is wrong.
    pub fn sync(
        realm: impl Into<Box<str>>,
        find: impl Fn(Login) -> Option<U> + Send + Sync + 'static,
    ) -> Self {
        Self(Lookup::at_once(realm.into(), challenge, find))
    }

    /// Describes, in Markdown, where callers get a password.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.0.description = Some(description.into());
        self
    }
}

fn challenge(realm: &str) -> String {
    credential::challenge("Basic", realm) + ", charset=\"UTF-8\""
}

/// Returns the name and password of a credential, or `None` if it is malformed.
fn login(credential: &[u8]) -> Option<Login> {
    let text = String::from_utf8(STANDARD.decode(credential).ok()?).ok()?;
    let (name, password) = text.split_once(':')?;
    Some(Login {
        name: name.to_owned(),
        password: password.to_owned(),
    })
}

impl<U: Identity> Authenticator for Basic<U> {
    type Identity = U;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<U> {
        match credential::of_scheme("Basic", &credentials).map(login) {
            Some(Some(login)) => self.0.find(login),
            Some(None) => {
                Authentication::rejected(Rejection::unauthorized(challenge(&self.0.realm)))
            }
            None => Authentication::ready(None),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        Cow::Owned(challenge(&self.0.realm))
    }

    fn scheme(&self) -> Option<(String, Json)> {
        Some(scheme::http("basic", self.0.description.as_deref()))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec!["Authorization".to_owned()])
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
