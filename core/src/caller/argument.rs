//! The caller as an argument of a handler.
//!
//! The type of the context says whether a handler needs to know its caller. So `build()` can demand
//! an authenticator, and a handler never meets a caller that is missing.

use std::any::{TypeId, type_name};

use crate::identity::{Caller, Identity, SharedIdentity};

/// Selects what a handler learns about its caller, as the second type of [`Cx`](crate::Cx): nothing
/// (`()`), the caller (a `User` that implements [`Identity`]), or the caller if there is one
/// (`Option<User>`).
///
/// This trait is not meant to be implemented by other crates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say who is calling",
    label = "does not implement `Identity`",
    note = "implement `Identity` for the type, or use `()` if the handler does not need the caller"
)]
pub trait CallerArg: Send + Sync + 'static {
    /// The value that the context holds.
    #[doc(hidden)]
    type ContextValue: Clone + Send + Sync + 'static;

    /// Returns the type of caller that the handler takes, if it takes one.
    #[doc(hidden)]
    fn requirement() -> Option<CallerRequirement>;

    /// Returns the value for the context; `None` if the handler needs a caller and there is none.
    #[doc(hidden)]
    fn context_value(caller: Option<&SharedIdentity>) -> Option<Self::ContextValue>;
}

/// The type of caller that a handler takes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct CallerRequirement {
    pub(crate) identity: TypeId,
    pub(crate) name: &'static str,
    /// Set if the handler needs a known caller.
    pub(crate) required: bool,
}

impl CallerRequirement {
    pub(crate) fn new<U: Identity>(required: bool) -> Self {
        Self {
            identity: TypeId::of::<U>(),
            name: type_name::<U>(),
            required,
        }
    }
}

impl CallerArg for () {
    type ContextValue = ();

    fn requirement() -> Option<CallerRequirement> {
        None
    }

    fn context_value(_: Option<&SharedIdentity>) -> Option<()> {
        Some(())
    }
}

impl<U: Identity> CallerArg for U {
    type ContextValue = Caller<U>;

    fn requirement() -> Option<CallerRequirement> {
        Some(CallerRequirement::new::<U>(true))
    }

    fn context_value(caller: Option<&SharedIdentity>) -> Option<Caller<U>> {
        caller.and_then(Caller::downcast)
    }
}

impl<U: Identity> CallerArg for Option<U> {
    type ContextValue = Option<Caller<U>>;

    fn requirement() -> Option<CallerRequirement> {
        Some(CallerRequirement::new::<U>(false))
    }

    fn context_value(caller: Option<&SharedIdentity>) -> Option<Option<Caller<U>>> {
        Some(caller.and_then(Caller::downcast))
    }
}
