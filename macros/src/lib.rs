//! The attributes of Docent: they write the registration of procedures and subscriptions.
//!
//! Do not depend on this crate directly: `docent`, `docent-tower`, `docent-jsonrpsee` and `docent-core` export its macros. Generated
//! code must name the items of the crate that its user depends on, and a macro cannot see which one that is. So
//! each macro exists once for each of these crates, and differs only in the root of its paths.
//!
//! ```text
//! #[procedure(idempotent)]              `handler` and `argument` read the function, `options` the attribute
//! fn find(title: String)          ─►    `registration` writes the struct of the parameters, and
//!     -> Result<Book, Fault>                `Procedure::sync("find", …).idempotent()`
//!                                       `client` writes the function that calls it
//! ```
//!
//! The function stays as it is, so that it can be called and tested like any other. What an attribute writes could be
//! written by hand, and a call costs the same. A problem does not end the expansion: all problems
//! of an item are reported together (`problems`).
//!
//! A macro sees names and not types. An attribute (`#[params]`) therefore makes the decisions that depend on a
//! type, or the compiler does when it checks the generated code. The spans of that code make errors point at the
//! argument or the return type in question.

mod argument;
#[cfg(feature = "client")]
mod client;
mod client_name;
mod constraints;
mod deprecation;
mod docs;
mod duration;
mod entry;
mod errors;
mod example;
mod free;
mod generics;
mod handler;
mod kind;
mod members;
mod methods;
mod options;
mod problems;
mod registration;
mod root;
mod types;

use proc_macro::TokenStream;

use entry::Entry;
use kind::HandlerKind;
use root::Root;

/// The generated code names the crate `docent`, so depend on it under this name.
#[proc_macro_attribute]
pub fn procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT, arguments.into(), item.into()).into()
}

/// The generated code names the crate `docent_core`, so depend on it under this name.
#[proc_macro_attribute]
pub fn core_procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT_CORE, arguments.into(), item.into()).into()
}

/// The generated code names the crate `docent_tower`, so depend on it under this name.
#[proc_macro_attribute]
pub fn tower_procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT_TOWER, arguments.into(), item.into()).into()
}

/// The generated code names the crate `docent_jsonrpsee`, so depend on it under this name.
#[proc_macro_attribute]
pub fn jsonrpsee_procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT_JSONRPSEE, arguments.into(), item.into()).into()
}

/// The generated code names the crate `docent`, so depend on it under this name.
#[proc_macro_attribute]
pub fn procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT,
        HandlerKind::Procedure,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_core`, so depend on it under this name.
#[proc_macro_attribute]
pub fn core_procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_CORE,
        HandlerKind::Procedure,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_tower`, so depend on it under this name.
#[proc_macro_attribute]
pub fn tower_procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_TOWER,
        HandlerKind::Procedure,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_jsonrpsee`, so depend on it under this name.
#[proc_macro_attribute]
pub fn jsonrpsee_procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_JSONRPSEE,
        HandlerKind::Procedure,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent`, so depend on it under this name.
#[proc_macro_attribute]
pub fn subscription(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT,
        HandlerKind::Subscription,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_core`, so depend on it under this name.
#[proc_macro_attribute]
pub fn core_subscription(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_CORE,
        HandlerKind::Subscription,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_tower`, so depend on it under this name.
#[proc_macro_attribute]
pub fn tower_subscription(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_TOWER,
        HandlerKind::Subscription,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent_jsonrpsee`, so depend on it under this name.
#[proc_macro_attribute]
pub fn jsonrpsee_subscription(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(
        Root::DOCENT_JSONRPSEE,
        HandlerKind::Subscription,
        arguments.into(),
        item.into(),
    )
    .into()
}

/// The generated code names the crate `docent`, so depend on it under this name.
#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::expand(Entry::Main, Root::DOCENT, &arguments.into(), item.into()).into()
}

/// The generated code names the crate `docent`, so depend on it under this name.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::expand(Entry::Test, Root::DOCENT, &arguments.into(), item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors, or for a struct that is one error.
#[proc_macro_derive(RpcError, attributes(rpc, serde, schemars))]
pub fn rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT, item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors, or for a struct that is one error.
#[proc_macro_derive(CoreRpcError, attributes(rpc, serde, schemars))]
pub fn core_rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT_CORE, item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors, or for a struct that is one error.
#[proc_macro_derive(TowerRpcError, attributes(rpc, serde, schemars))]
pub fn tower_rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT_TOWER, item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors, or for a struct that is one error.
#[proc_macro_derive(JsonrpseeRpcError, attributes(rpc, serde, schemars))]
pub fn jsonrpsee_rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT_JSONRPSEE, item.into()).into()
}
