//! The value that identifies a caller.
//!
//! Services represent callers by types of their own. Here they are erased, so that a request finds
//! out its caller once and handlers of several types can share the outcome.

use std::any::Any;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;
use std::time::SystemTime;

/// The identity of a caller: the value that an [`Authenticator`](crate::Authenticator) returns,
/// such as a user.
///
/// A handler that takes a `Cx<S, User>` runs only for known callers, and gets the value with
/// [`Cx::caller`](crate::Cx::caller).
///
/// ```
/// use std::borrow::Cow;
///
/// use docent::Identity;
///
/// struct User {
///     name: String,
///     is_librarian: bool,
/// }
///
/// impl Identity for User {
///     fn id(&self) -> Cow<'_, str> {
///         Cow::from(&self.name)
///     }
///
///     fn has_scope(&self, scope: &str) -> bool {
///         scope == "lend" && self.is_librarian
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say who is calling",
    label = "does not implement `Identity`",
    note = "write `impl Identity for {Self}`, with an `id` that tells callers apart"
)]
pub trait Identity: Any + Send + Sync {
    /// Returns a text that identifies this caller and stays the same, such as an account number.
    /// Limits and logs use it.
    fn id(&self) -> Cow<'_, str>;

    /// Returns whether the caller has a scope or role that a procedure
    /// [requires](crate::Procedure::scope). By default, it has none.
    fn has_scope(&self, scope: &str) -> bool {
        let _ = scope;
        false
    }

    /// Returns the moment at which the credentials of this caller end, such as the expiry of a token. Its subscriptions
    /// then end with Refused (-32007). By default, credentials do not end.
    fn valid_until(&self) -> Option<SystemTime> {
        None
    }
}

/// A caller with an identity of any type.
pub(crate) type SharedIdentity = Arc<dyn Identity>;

/// The caller of a call, shared by all calls of a request. It dereferences to the [`Identity`]. Cloning
/// it is cheap.
#[derive(Debug)]
pub struct Caller<U>(Arc<U>);

impl<U: Identity> Caller<U> {
    /// Returns the caller if its identity is of this type.
    pub(crate) fn downcast(identity: &SharedIdentity) -> Option<Self> {
        let any: Arc<dyn Any + Send + Sync> = Arc::<dyn Identity>::clone(identity);
        any.downcast().ok().map(Self)
    }
}

impl<U> Deref for Caller<U> {
    type Target = U;

    fn deref(&self) -> &U {
        &self.0
    }
}

impl<U> Clone for Caller<U> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
