//! The attributes of Docent: they write the registration of procedures.
//!
//! Do not depend on this crate directly. `docent`, `docent-tower` and `docent-core` export its macros, each in
//! the form that names its own items: code that depends on `docent` alone cannot name
//! `docent_core`, and a macro cannot see its caller's dependencies. So there is an entry point for
//! each crate, and they differ only in the root of their paths.
//!
//! A macro sees names and not types. Decisions that depend on a type are therefore made by an
//! attribute (`#[params]`), or by the compiler when it checks the generated code. The spans of that
//! code make its errors point at the argument or the return type in question.

mod argument;
mod client;
mod deprecation;
mod docs;
mod duration;
mod errors;
mod example;
mod free;
mod generics;
mod handler;
mod members;
mod methods;
mod options;
mod problems;
mod registration;
mod root;
mod types;

use proc_macro::TokenStream;

use root::Root;

/// The generated code names the items of `docent`.
#[proc_macro_attribute]
pub fn procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT, arguments.into(), item.into()).into()
}

/// The generated code names the items of `docent_core`.
#[proc_macro_attribute]
pub fn core_procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT_CORE, arguments.into(), item.into()).into()
}

/// The generated code names the items of `docent_tower`.
#[proc_macro_attribute]
pub fn tower_procedures(arguments: TokenStream, item: TokenStream) -> TokenStream {
    methods::expand(Root::DOCENT_TOWER, arguments.into(), item.into()).into()
}

/// The generated code names the items of `docent`.
#[proc_macro_attribute]
pub fn procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(Root::DOCENT, arguments.into(), item.into()).into()
}

/// The generated code names the items of `docent_core`.
#[proc_macro_attribute]
pub fn core_procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(Root::DOCENT_CORE, arguments.into(), item.into()).into()
}

/// The generated code names the items of `docent_tower`.
#[proc_macro_attribute]
pub fn tower_procedure(arguments: TokenStream, item: TokenStream) -> TokenStream {
    free::expand(Root::DOCENT_TOWER, arguments.into(), item.into()).into()
}

/// Implements the trait of the same name for an enum of errors.
#[proc_macro_derive(RpcError, attributes(rpc, serde, schemars))]
pub fn rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT, item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors.
#[proc_macro_derive(CoreRpcError, attributes(rpc, serde, schemars))]
pub fn core_rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT_CORE, item.into()).into()
}

/// Implements the trait `RpcError` for an enum of errors.
#[proc_macro_derive(TowerRpcError, attributes(rpc, serde, schemars))]
pub fn tower_rpc_error(item: TokenStream) -> TokenStream {
    errors::expand(Root::DOCENT_TOWER, item.into()).into()
}
