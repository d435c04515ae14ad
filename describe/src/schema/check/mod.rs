//! Checks values against schemas.
//!
//! When a handler runs, its parameters match their JSON Schemas. serde enforces a part of a schema while it decodes;
//! this folder enforces the rest: bounds, lengths, patterns, formats, lists of values, unique elements.
//!
//! ```text
//! {"type": "integer", "maximum": 10} ─ Compiler ─► Check, with rules for each kind     when the service is built
//! "11" ─ Check, Walker ─► matches, or a Misfit                                         at each call
//!      ─ Walker with a report ─► Violation: expected an integer of at most 10, found 11
//! ```
//!
//! `compile` turns a [node](super::Node) of the tree into `rules`. A `Walker` (`walk`, `containers`, `union`) goes
//! through the text of a value once and stops at the first rule that is broken. Only a refused value is walked through
//! again, to report a [`Violation`] with its pointer and reason (`reasons`).
//!
//! A check can be asked for everything, or for what decoding leaves over ([`Check::fits_beyond_decoding`]). `build()`
//! of `docent-core` decides that for each parameter, by the trial of its type. Tools ask the same check about any
//! schema, and for them the outcome may also be unknown (`schema/valid`). A validator from elsewhere would need a tree
//! of each value, and could not leave out what serde enforces.
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
