//! Authenticators that find the caller with a credential.
//!
//! The kinds of credentials differ in where they are and in what callers are told. Everything else
//! is the same: the author's function finds the caller.

use std::borrow::Cow;
use std::fmt;

use docent_core::{Authentication, Authenticator, Credentials, Identity, Rejection};
use docent_describe::json::Json;

/// Identifies callers by a credential. Use it as [`Bearer`](crate::Bearer), [`ApiKey`](crate::ApiKey) or
/// `Basic`.
pub struct CallerLookup<K: CredentialKind, U> {
    /// The realm, or the field of an API key.
    realm: Box<str>,
    /// The description of the security scheme, in Markdown.
    description: Option<Box<str>>,
    find: Box<dyn Fn(K::Credential) -> Authentication<U> + Send + Sync>,
}

/// A kind of credentials: where requests have them, and what callers are told about them.
pub trait CredentialKind: Send + Sync + 'static {
    /// The credential of a caller.
    type Credential;

    /// Returns the credential as a request has it, if it has one.
    fn sent<'a>(realm: &str, credentials: &Credentials<'a>) -> Option<&'a [u8]>;

    /// Reads a credential, unless it is malformed.
    fn decode(sent: &[u8]) -> Option<Self::Credential>;

    /// Returns the challenge for callers without a credential.
    fn challenge(realm: &str) -> String;

    /// Returns the challenge for callers with a wrong credential.
    fn wrong(realm: &str) -> String {
        Self::challenge(realm)
    }

    /// Returns the security scheme of the description.
    fn scheme(realm: &str, description: Option<&str>) -> (String, Json);

    /// Returns the field with the credential.
    fn field(_realm: &str) -> String {
        "Authorization".to_owned()
    }
}

impl<K: CredentialKind, U: Identity> CallerLookup<K, U> {
    /// Looks callers up with an async function. It takes a credential and returns its owner, or `None` if the
    /// credential is wrong. An error, such as that of a database, becomes an Internal error. `realm` tells
    /// callers what is protected; for an API key, it is the name of the header field.
    ///
    /// Look tokens and keys up by a hash, so that neither your database nor response times reveal them.
    pub fn new<E, F, Fut>(realm: impl Into<Box<str>>, find: F) -> Self
    where
        E: fmt::Display,
        F: Fn(K::Credential) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<U>, E>> + Send + 'static, // not async: `Bearer::sync`
    {
        Self::with_find(realm.into(), move |credential, wrong| {
            let found = find(credential);
            Authentication::pending(async move {
                found
                    .await
                    .map_err(Rejection::internal)?
                    .ok_or(wrong)
                    .map(Some)
            })
        })
    }

    /// Looks callers up with a function that does not block. It returns `None` if the credential is wrong.
    pub fn sync(
        realm: impl Into<Box<str>>,
        find: impl Fn(K::Credential) -> Option<U> + Send + Sync + 'static,
    ) -> Self {
        Self::with_find(realm.into(), move |credential, wrong| {
            match find(credential) {
                Some(caller) => Authentication::ready(Some(caller)),
                None => Authentication::rejected(wrong),
            }
        })
    }

    /// Creates the authenticator. `find` gets the rejection of a wrong credential, too.
    fn with_find(
        realm: Box<str>,
        find: impl Fn(K::Credential, Rejection) -> Authentication<U> + Send + Sync + 'static,
    ) -> Self {
        let wrong = K::wrong(&realm);
        Self {
            realm,
            description: None,
            find: Box::new(move |credential| {
                find(credential, Rejection::unauthorized(wrong.clone()))
            }),
        }
    }

    /// Describes where callers get a credential, in Markdown.
    pub fn description(mut self, description: impl Into<Box<str>>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl<K: CredentialKind, U: Identity> Authenticator for CallerLookup<K, U> {
    type Identity = U;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<U> {
        let Some(sent) = K::sent(&self.realm, &credentials) else {
            return Authentication::ready(None);
        };
        match K::decode(sent) {
            Some(credential) => (self.find)(credential),
            None => Authentication::rejected(Rejection::unauthorized(K::wrong(&self.realm))),
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        K::challenge(&self.realm).into()
    }

    fn scheme(&self) -> Option<(String, Json)> {
        Some(K::scheme(&self.realm, self.description.as_deref()))
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some(vec![K::field(&self.realm)])
    }
}

impl<K: CredentialKind, U> fmt::Debug for CallerLookup<K, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CallerLookup").field(&self.realm).finish()
    }
}
