//! Checks values against schemas.
//!
//! A description is true, so the JSON Schema of a parameter must hold when the handler runs. Most
//! of it holds automatically: serde decodes into the Rust type that the schema was generated from,
//! and rejects values that do not match it (types, members, elements, alternatives, the width of
//! integers). Nothing else would enforce the rest: bounds, lengths, patterns, formats, lists of
//! values, unique elements. When the service is built, a [`Compiler`] finds these parts of a schema
//! and compiles them to a [`Check`], or to nothing if serde is enough. A check works on the text of
//! a value and builds no tree.
//!
//! These decisions are made here:
//!
//! - `enum` and `const` are always checked, although serde decodes enums: a schema does not show
//!   whether a list of values comes from a Rust enum.
//! - A check also rejects the wrong kind of value wherever it reads one, with a message for
//!   callers. It checks required members, and everything else that serde decodes, only to tell
//!   alternatives apart or on request ([`Compiler::compile_full`]).
//! - If an object has a member twice, every occurrence is checked: which one counts depends on the
//!   type that decodes it.
//! - A schema with a constraint that is not enforced is an error, and so is one that no value can
//!   match.

mod choices;
mod compile;
mod compiled;
mod containers;
mod format;
mod node;
mod number;
mod reasons;
mod string;
mod union;
mod walk;

use std::collections::HashMap;

use foldhash::fast::FixedState;

pub use choices::repeated;
pub use compile::{Compiler, LONGEST, Unenforceable};
pub use compiled::{Check, Violation};
pub use format::{Format, is_uri};

/// A map for keys that callers do not choose, or whose number the length of a text limits.
type FastMap<K, V> = HashMap<K, V, FixedState>;

#[cfg(test)]
mod tests;
