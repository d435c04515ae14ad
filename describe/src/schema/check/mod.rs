//! Checks values against schemas.
//!
//! A description is true, so a value must match the JSON Schema of its parameter when the handler runs. serde enforces
//! a part of the schema while it decodes; this folder enforces the rest: bounds, lengths, patterns, formats, lists of
//! values, unique elements.
//!
//! ```text
//! {"type": "integer", "maximum": 10}  -- Compiler, when the service is built -->  Check
//! "11"                                -- Check, at each call -->  expected an integer of at most 10, found 11
//! ```
//!
//! `compile` turns a [node](super::Node) of the tree into the rules that a value has to follow (`rules`). `walk` goes
//! through the text of a value once, along the rules, and stops at the first one that is broken. Only a value that was
//! refused is checked again, by a walk that reports: a [`Violation`] has a pointer and a reason (`reasons`). Tools use
//! the same check for any schema and value, and for them the outcome may also be unknown.
//!
//! A validator from elsewhere would need a tree of each value, and could not leave out what serde enforces.
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
