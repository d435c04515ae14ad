//! Authenticators find out who is calling.
//!
//! An authenticator says who is calling and nothing more. Whether that caller may make a call is up
//! to scopes and rules.

use std::borrow::Cow;
use std::fmt;

use docent_describe::json::Json;

use crate::credentials::Credentials;
use crate::errors::ErrorList;
use crate::identity::{Identity, SharedIdentity};
use crate::rejection::Rejection;
use crate::runtime::BoxFuture;

/// Finds out who is calling.
///
/// It runs at most once for all calls of a request, and only if one of them needs to know its caller. Its time
/// counts towards the timeout of each call that waits for it.
///
/// It does not run if a credential that it may read is there twice, which is never right: the field
/// `Authorization`, that of an API key that its [schemes](Self::schemes) describe, or one that it
/// [declares](Self::reads). The call is rejected with its [challenge](Self::challenge). `Cookie` and the lists
/// `Forwarded`, `Via` and `X-Forwarded-For` may be repeated.
///
/// ```
/// use std::borrow::Cow;
///
/// use docent::{Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Service};
///
/// struct User(String);
///
/// impl Identity for User {
///     fn id(&self) -> Cow<'_, str> {
///         Cow::from(&self.0)
///     }
/// }
///
/// /// Trusts the user name that the proxy in front has checked.
/// struct Proxy;
///
/// impl Authenticator for Proxy {
///     type Identity = User;
///
///     fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
///         let name = credentials.only_field("X-Authenticated-User");
///         let name = name.and_then(|name| String::from_utf8(name.to_vec()).ok());
///         Authentication::ready(name.map(User))
///     }
/// }
///
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c21")
///     .authenticate(Proxy)
///     .procedure(Procedure::sync("hello", |cx: Cx<(), User>, (): ()| {
///         Ok::<_, Fault>(format!("Hello, {}", cx.caller().0))
///     }))
///     .build()?;
/// assert!(service.is_guarded("hello"));
/// # Ok::<(), docent::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an authenticator",
    label = "does not implement `Authenticator`",
    note = "use `Bearer` for tokens, or `ApiKey` for keys in a header field: both take a function \
            that looks the caller up"
)]
pub trait Authenticator: Send + Sync + 'static {
    /// The type that identifies a caller. A service has one authenticator for each type.
    type Identity: Identity;

    /// Finds out who sent these credentials. They are borrowed: read everything that you need from
    /// them before the first `await`.
    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Self::Identity>;

    /// Returns the challenge for a caller that must be known and sent no credentials: over HTTP,
    /// text such as `Bearer realm="library"` (RFC 9110, section 11.6.1).
    fn challenge(&self) -> Cow<'static, str> {
        Cow::Borrowed("")
    }

    /// Returns the security scheme for the description: its name and its definition.
    fn scheme(&self) -> Option<(String, Json)> {
        None
    }

    /// Returns the alternative security schemes: callers need only one of them. By default, that of
    /// [`scheme`](Self::scheme).
    fn schemes(&self) -> Vec<(String, Json)> {
        self.scheme().into_iter().collect()
    }

    /// Returns the names of the fields that identify the caller, if nothing else does; see
    /// [`Guard::reads`](crate::Guard::reads). Results with a [version](crate::Procedure::etag_by) then keep their
    /// validators when a caller gets a new token. By default, each new token makes new validators.
    fn reads(&self) -> Option<Vec<String>> {
        None
    }

    /// Declares the error codes of its rejections, for every procedure that needs to know its
    /// caller.
    fn declare(&self, errors: &mut ErrorList) {
        let _ = errors;
    }

    /// Returns the problems with the configuration; each becomes an error of `build()`.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The result of an authentication, or a future that resolves to it.
pub enum Authentication<U> {
    /// The result is known: the caller, `None` for a request without credentials, or the rejection
    /// of wrong credentials.
    Ready(Result<Option<U>, Rejection>),
    /// A future that resolves to the result.
    Pending(BoxFuture<Result<Option<U>, Rejection>>),
}

impl<U> Authentication<U> {
    /// Waits for the result.
    pub(crate) async fn found(self) -> Result<Option<U>, Rejection> {
        match self {
            Self::Ready(found) => found,
            Self::Pending(work) => work.await,
        }
    }

    /// Returns a caller that is known at once; `None` if the request has no credentials.
    pub fn ready(caller: Option<U>) -> Self {
        Self::Ready(Ok(caller))
    }

    /// Rejects wrong credentials.
    pub fn rejected(rejection: Rejection) -> Self {
        Self::Ready(Err(rejection))
    }

    /// Returns a future that finds out who is calling. A [`Fault`](crate::Fault) of a look-up fails the call.
    ///
    /// ```
    /// # use std::borrow::Cow;
    /// # use docent::{Authentication, Fault, Identity, Rejection};
    /// # struct User(String);
    /// # impl Identity for User { fn id(&self) -> Cow<'_, str> { Cow::from(&self.0) } }
    /// # async fn find_user(token: String) -> Result<Option<User>, Fault> { Ok(Some(User(token))) }
    /// fn authenticate(token: String) -> Authentication<User> {
    ///     Authentication::pending(async move {
    ///         let user = find_user(token).await?;
    ///         user.map(Some).ok_or_else(|| Rejection::unauthorized("Bearer"))
    ///     })
    /// }
    /// # let _ = authenticate;
    /// ```
    pub fn pending(
        work: impl Future<Output = Result<Option<U>, Rejection>> + Send + 'static,
    ) -> Self {
        Self::Pending(Box::pin(work))
    }
}

impl<U> fmt::Debug for Authentication<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Callers and rejections do not go into logs.
        f.debug_struct("Authentication").finish_non_exhaustive()
    }
}

/// The result of an authentication, shared by the calls of a request.
pub(crate) type Verdict = Result<Option<SharedIdentity>, Rejection>;
