//! The vocabulary of Docent: what a description of a JSON-RPC service says, how it comes from Rust
//! types, how it is rendered, and how it is read back.
//!
//! This crate knows no network and no runtime.

mod documentation;
pub mod json;
mod model;
mod openrpc;
pub mod read;
pub mod render;
pub mod schema;

pub use documentation::split_documentation;
pub use model::{
    Components, Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription,
    ReturnDescription, ServiceDescription, TypeCode,
};
