//! Checks values against schemas.
//!
//! A description is true, so values must match the JSON Schema of a parameter when the handler runs. Where
//! serde's decoding does not enforce all of it, every value is checked: bounds, lengths, patterns, formats,
//! lists of values, unique elements. When the service is built, a [`Compiler`] compiles the schema to a
//! [`Check`], which works on the text of a value and builds no tree. The same check explains why a value is
//! rejected, and tools use it for any schema and value.
//!
//! These decisions are made here:
//!
//! - `enum` and `const` are always checked, although serde decodes enums: a schema does not show
//!   whether a list of values comes from a Rust enum.
//! - If an object has a member twice, every occurrence is checked: which one counts depends on the
//!   type that decodes it.
//! - For a service, an unenforced constraint is an error, and so is a schema without a matching value.
//!   For a tool, it is unknown whether a value matches such a constraint.

mod choices;
mod compile;
mod compiled;
mod containers;
mod number;
mod reasons;
mod rules;
mod string;
mod union;
mod walk;

pub use compile::{Compiler, Unenforceable};
pub use compiled::Check;
pub use reasons::Violation;

#[cfg(test)]
mod tests;
