//! Callers with API keys.

use std::borrow::Cow;
use std::fmt;

use docent_core::{Authentication, Authenticator, Credentials, Identity};
use docent_describe::json::Json;

use super::lookup::Lookup;
use super::{credential, scheme};

/// Finds out who is calling by a key in a header field, such as `X-Api-Key`.
///
/// Like [`Bearer`](crate::Bearer), but with a field of your own. Its challenge has the name `ApiKey`,
/// because no scheme for such keys is registered.
#[derive(Debug)]
pub struct ApiKey<U>(Lookup<String, U>);

impl<U: Identity> ApiKey<U> {
    /// Finds callers with an async function: it takes the value of the field and returns its owner,
    /// `None` if the key is wrong, or an error if that cannot be found out, which becomes an
    /// Internal error.
    pub fn new<E, F, Fut>(field: impl Into<Box<str>>, find: F) -> Self
    where
        E: fmt::Display,
        F: Fn(String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<U>, E>> + Send + 'static, // not async: `ApiKey::sync`
    {
        Self(Lookup::later(field.into(), challenge, find))
    }

    /// Finds callers with a function that must not block; `None` if the key is wrong.
    pub fn sync(
        field: impl Into<Box<str>>,
        find: impl Fn(String) -> Option<U> + Send + Sync + 'static,
    ) -> Self {
        Self(Lookup::at_once(field.into(), challenge, find))
    }

    /// Describes, in Markdown, where callers get a key.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.0.description = Some(description.into());
        self
    }
}

fn challenge(field: &str) -> String {
    credential::challenge("ApiKey", field)
}

impl<U: Identity> Authenticator for ApiKey<U> {
    type Identity = U;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<U> {
        match credentials.only_field(&self.0.realm) {
            Some(key) => self.0.find(String::from_utf8_lossy(key).into_owned()),
            None => Authentication::ready(None),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        Cow::Owned(challenge(&self.0.realm))
    }

    fn scheme(&self) -> Option<(String, Json)> {
        let description = self.0.description.as_deref();
        Some(scheme::api_key(&self.0.realm, description))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec![self.0.realm.to_string()])
    }
}
