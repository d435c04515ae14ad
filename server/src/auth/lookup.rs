//! Functions that find a caller by its credentials.

use std::fmt;

use docent_core::{Authentication, Identity, Rejection};

/// Finds the caller with a credential, for authenticators that differ in where they find it.
pub(super) struct Lookup<C, U> {
    /// The realm of the challenge.
    pub(super) realm: Box<str>,
    /// The description of the security scheme, in Markdown.
    pub(super) description: Option<Box<str>>,
    find: Box<dyn Fn(C) -> Authentication<U> + Send + Sync>,
}

impl<C, U> fmt::Debug for Lookup<C, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lookup").field(&self.realm).finish()
    }
}

impl<C, U: Identity> Lookup<C, U> {
    /// Wraps a function that answers at once. It returns `None` if the credential is wrong, which is
    /// rejected with the challenge of the realm.
    pub(super) fn at_once(
        realm: Box<str>,
        challenge: fn(&str) -> String,
        find: impl Fn(C) -> Option<U> + Send + Sync + 'static,
    ) -> Self {
        let wrong = challenge(&realm);
        let find = move |credential| match find(credential) {
            Some(caller) => Authentication::ready(Some(caller)),
            None => Authentication::rejected(Rejection::unauthorized(wrong.clone())),
        };
        Self {
            realm,
            description: None,
            find: Box::new(find),
        }
    }

    /// Wraps an async function. It returns `None` if the credential is wrong, and an error if it cannot
    /// find out.
    pub(super) fn later<E, F, Fut>(realm: Box<str>, challenge: fn(&str) -> String, find: F) -> Self
    where
        E: fmt::Display,
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<U>, E>> + Send + 'static,
    {
        let wrong = challenge(&realm);
        let find = move |credential| {
            let (found, wrong) = (find(credential), wrong.clone());
            Authentication::pending(async move {
                match found.await {
                    Ok(Some(caller)) => Ok(Some(caller)),
                    Ok(None) => Err(Rejection::unauthorized(wrong)),
                    Err(cause) => Err(Rejection::internal(cause)),
                }
            })
        };
        Self {
            realm,
            description: None,
            find: Box::new(find),
        }
    }

    pub(super) fn find(&self, credential: C) -> Authentication<U> {
        (self.find)(credential)
    }
}
