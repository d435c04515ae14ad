//! Two ways to say who is calling, of which one suffices.
//!
//! A request that presents a credential of the first way is decided by that way alone, so that a wrong one
//! is wrong, whatever else the request presents.

use std::borrow::Cow;
use std::sync::Arc;

use docent_describe::json::Json;

use super::authenticator::{Authentication, Authenticator};
use super::scheme::add_scheme;
use crate::credentials::Credentials;
use crate::errors::ErrorList;
use crate::rejection::joined;

/// Combines two authenticators into one that accepts the credentials of either, such as a token or a key.
/// It nests.
///
/// If a request has credentials for the first, the first alone decides, and the second is not asked. A request
/// without credentials, or with wrong ones, gets the challenges of both (over HTTP, 401). The description
/// lists both in `security`, as alternatives.
///
/// ```
/// # use std::borrow::Cow;
/// # use docent::{Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Service, either};
/// # struct User(&'static str);
/// # impl Identity for User { fn id(&self) -> Cow<'_, str> { Cow::from(self.0) } }
/// # struct Field(&'static str);
/// # impl Authenticator for Field {
/// #     type Identity = User;
/// #     fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
/// #         Authentication::ready(credentials.only_field(self.0).map(|_| User(self.0)))
/// #     }
/// # }
/// # let (token, key) = (Field("authorization"), Field("x-api-key"));
/// let service = Service::builder("vault", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c27")
///     .authenticate(either(token, key))
///     .procedure(Procedure::sync("open", |cx: Cx<(), User>, (): ()| Ok::<_, Fault>(cx.caller().0)))
///     .build()?;
/// # Ok::<(), docent::BuildError>(())
/// ```
pub fn either<A, B>(first: A, second: B) -> Either<A, B>
where
    A: Authenticator,
    B: Authenticator<Identity = A::Identity>, // both give callers of one type
{
    Either {
        first,
        second: Arc::new(second),
    }
}

/// An authenticator that accepts the credentials of two others. [`either`] makes it.
#[derive(Debug, Clone)]
pub struct Either<A, B> {
    first: A,
    second: Arc<B>,
}

impl<A, B> Authenticator for Either<A, B>
where
    A: Authenticator,
    B: Authenticator<Identity = A::Identity>,
{
    type Identity = A::Identity;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Self::Identity> {
        let challenge = self.first.challenge();
        let first = self.first.authenticate(credentials);
        // A future is boxed only if the first authenticator waits.
        match first.or_challenge(&self.second.challenge()) {
            Authentication::Ready(Ok(None)) => self
                .second
                .authenticate(credentials)
                .or_challenge(&challenge),
            Authentication::Ready(outcome) => Authentication::Ready(outcome),
            Authentication::Pending(first) => {
                let second = Arc::clone(&self.second);
                let credentials = credentials.kept();
                Authentication::pending(async move {
                    match first.await {
                        Ok(None) => {
                            second
                                .authenticate(credentials.borrowed())
                                .or_challenge(&challenge)
                                .found()
                                .await
                        }
                        outcome => outcome,
                    }
                })
            }
        }
    }

    fn challenge(&self) -> Cow<'static, str> {
        joined(&self.first.challenge(), &self.second.challenge()).into()
    }

    fn schemes(&self) -> Vec<(String, Json)> {
        let mut schemes = self.first.schemes();
        for (name, definition) in self.second.schemes() {
            add_scheme(&mut schemes, &name, definition);
        }
        schemes
    }

    fn reads(&self) -> Option<Vec<String>> {
        Some([self.first.reads()?, self.second.reads()?].concat())
    }

    fn declare(&self, errors: &mut ErrorList) {
        self.first.declare(errors);
        self.second.declare(errors);
    }

    fn problems(&self) -> Vec<String> {
        [self.first.problems(), self.second.problems()].concat()
    }
}

impl<U: Send + 'static> Authentication<U> {
    /// Adds the challenge of another way to the rejection of wrong credentials.
    fn or_challenge(self, other: &str) -> Self {
        match self {
            Self::Ready(outcome) => {
                Self::Ready(outcome.map_err(|rejection| rejection.or_challenge(other)))
            }
            Self::Pending(work) => {
                let other = other.to_owned();
                Self::pending(async move {
                    work.await
                        .map_err(|rejection| rejection.or_challenge(&other))
                })
            }
        }
    }
}
