//! Functions that find a caller by its credentials.

use docent_core::{Authentication, Identity, Rejection};

/// Finds a caller by a credential.
pub(super) type Find<C, U> = Box<dyn Fn(C) -> Authentication<U> + Send + Sync>;

/// Wraps a function that answers at once. It returns `None` if the credential is wrong,
/// which is rejected with the challenge.
pub(super) fn at_once<C, U: Identity>(
    find: impl Fn(C) -> Option<U> + Send + Sync + 'static,
    challenge: String,
) -> Find<C, U> {
    Box::new(move |credential| match find(credential) {
        Some(caller) => Authentication::ready(Some(caller)),
        None => Authentication::rejected(Rejection::unauthorized(challenge.clone())),
    })
}

/// Wraps an async function. It returns `None` if the credential is wrong, and an error if it cannot
/// find out.
pub(super) fn later<C, U, E, F, Fut>(find: F, challenge: String) -> Find<C, U>
where
    U: Identity,
    E: std::fmt::Display,
    F: Fn(C) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Option<U>, E>> + Send + 'static,
{
    Box::new(move |credential| {
        let (found, challenge) = (find(credential), challenge.clone());
        Authentication::pending(async move {
            match found.await {
                Ok(Some(caller)) => Ok(Some(caller)),
                Ok(None) => Err(Rejection::unauthorized(challenge)),
                Err(cause) => Err(Rejection::internal(cause)),
            }
        })
    })
}
