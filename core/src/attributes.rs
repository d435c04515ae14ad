//! What the code that attributes write asks of the compiler, so that its errors name the cure.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::identity::Identity;

/// A type that an argument with the attribute can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "does not implement `Deserialize` and `JsonSchema`",
    note = "for a type of your own, write `#[derive(Deserialize, JsonSchema)]`; for a type of another \
            crate, switch on its feature `serde` and the feature of schemars that is named after it",
    note = "other arguments: the caller is a `Caller<…>`, the context a `Cx`, a struct whose fields \
            are the parameters has `#[params]`, and the state is `&self`, or `Cx<State>` outside of \
            an `impl`"
)]
pub trait Parameter {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter for T {}

/// Compiles if the type can be that of a parameter.
pub const fn parameter<T: Parameter>() {}

/// Compiles if the type can stand for a caller.
pub const fn identity<U: Identity>() {}

/// An `impl` with `#[procedures]` and without `fn_name`. A type has one, because `procedures()` would
/// be there twice.
pub trait OnlyImplWithoutFnName {}

/// An error enum with a variant that holds a `Fault`. The lifetime lets the derive ask for it where
/// it is not implemented: only using the conversion is a mistake.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no variant for internal errors",
    label = "add the variant `Internal(Fault)`",
    note = "`?` makes a `Fault` the variant `Internal(Fault)`, which needs no attribute"
)]
pub trait WithInternal<'a> {}

/// Stands in the list of what `?` converts into an error enum, which the compiler shows where the enum
/// cannot hold an error. There is no value of it.
#[derive(Debug)]
pub enum UseDotInternalOnOtherErrors {}
