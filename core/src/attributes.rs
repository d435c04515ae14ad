//! Traits and functions that the attributes' code uses, so that compiler errors say what to do.
//!
//! Only generated code names these items. Each bound exists for its error message, so that an
//! author reads about a parameter or a caller and not about a trait of serde.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::code;
use crate::identity::Identity;
use crate::procedures::Procedures;

/// A type that can be a parameter of a function with the attribute.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "does not implement `Deserialize` and `JsonSchema`",
    note = "for a type of your own, write `#[derive(Deserialize, JsonSchema)]`; for a type of \
            another crate, enable its feature `serde` and the feature of schemars that is \
            named after it",
    note = "for other arguments, write the context as `Cx`, the caller as `Caller<…>`, the state \
            as `&self` (outside of an `impl`, as `Cx<State>`), and `#[params]` before a \
            struct with all parameters"
)]
pub trait Parameter {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for T {}

/// Compiles if the type can be a parameter.
pub const fn parameter<T: Parameter>() {}

/// Compiles if the type can identify a caller.
pub const fn identity<U: Identity>() {}

/// An `impl` with `#[procedures]` and without `fn_name`. A type can have only one, because a second
/// would define `procedures()` again.
pub trait OnlyImplWithoutFnName {}

/// `procedures()` of an `Arc`, which only says what to write instead. The code of `#[procedures]` brings it into
/// scope around the `impl`.
pub trait ProceduresOfArc: Sized {
    /// Does not compile.
    fn procedures<ServiceState>(self) -> Procedures<ServiceState>
    where
        Self: StateItself,
    {
        Procedures::new()
    }
}

impl<T: OnlyImplWithoutFnName> ProceduresOfArc for Arc<T> {}

/// A state that is in no `Arc`. No `Arc` implements it.
#[diagnostic::on_unimplemented(
    message = "`procedures()` takes the state itself, and this is an `Arc` of it",
    label = "a state in an `Arc`",
    note = "write `state.shared_procedures()`, or call `procedures()` on the state before it is in an `Arc`"
)]
pub trait StateItself {}

/// Returns whether no error can have this code.
pub const fn is_reserved(code: i64) -> bool {
    *code::RESERVED.start() <= code && code <= *code::RESERVED.end()
}

/// Returns whether two errors have one code.
pub const fn is_same_code(code: i64, other: i64) -> bool {
    code == other
}

/// Returns whether an error can have this status.
pub const fn is_error_status(status: u16) -> bool {
    400 <= status && status < 600
}
