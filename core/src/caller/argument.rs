//! What a handler wants to know about its caller.

use std::any::{TypeId, type_name};

use crate::identity::{Caller, Identity, Known};

/// What a handler wants to know about its caller, the second type of [`Cx`](crate::Cx): nothing
/// (`()`), the caller (a type that implements [`Identity`]), or the caller if there is one (an
/// `Option` of such a type).
///
/// Not to be implemented elsewhere.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say who is calling",
    label = "does not implement `Identity`",
    note = "implement `Identity` for the type, or use `()` for a handler that does not ask"
)]
pub trait CallerArg: Send + Sync + 'static {
    /// What the context holds of it.
    #[doc(hidden)]
    type Held: Clone + Send + Sync + 'static;

    #[doc(hidden)]
    fn wanted() -> Option<Wanted>;

    /// What is known, if that is enough.
    #[doc(hidden)]
    fn hold(known: Option<&Known>) -> Option<Self::Held>;
}

/// A caller that a handler asks for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub(crate) identity: TypeId,
    pub(crate) name: &'static str,
    /// Whether the handler cannot do without one.
    pub(crate) required: bool,
}

impl Wanted {
    pub(crate) fn of<U: Identity>(required: bool) -> Self {
        Self {
            identity: TypeId::of::<U>(),
            name: type_name::<U>(),
            required,
        }
    }
}

impl CallerArg for () {
    type Held = ();

    fn wanted() -> Option<Wanted> {
        None
    }

    fn hold(_: Option<&Known>) -> Option<()> {
        Some(())
    }
}

impl<U: Identity> CallerArg for U {
    type Held = Caller<U>;

    fn wanted() -> Option<Wanted> {
        Some(Wanted::of::<U>(true))
    }

    fn hold(known: Option<&Known>) -> Option<Caller<U>> {
        known.and_then(Caller::of)
    }
}

impl<U: Identity> CallerArg for Option<U> {
    type Held = Option<Caller<U>>;

    fn wanted() -> Option<Wanted> {
        Some(Wanted::of::<U>(false))
    }

    fn hold(known: Option<&Known>) -> Option<Option<Caller<U>>> {
        Some(known.and_then(Caller::of))
    }
}
