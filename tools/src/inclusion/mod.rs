//! Decides whether one schema includes another: whether every value of the narrower schema is a value of the wider one.
//!
//! Nodes of two descriptions come in, "narrow" and "wide", and an [`Inclusion`] goes out: yes, no with a value that
//! shows it, or unknown. A comparison asks in both directions, `check` asks whether a schema has any value at all.
//!
//! ```text
//! narrow: {"type": "integer", "minimum": 1}      narrow in wide: yes
//! wide:   {"type": ["number", "null"]}           wide in narrow: no, as null shows
//!
//! InclusionChecker::check
//!     includes         same, or for each Case of narrow and each kind: empty, or every keyword of wide is implied
//!     counterexample   otherwise: a value that narrow accepts and wide does not
//!     Unknown          otherwise
//! ```
//!
//! "Yes" follows from rules. The narrower schema is taken apart into cases (`case.rs`), one for each way through its
//! alternatives, and for each case and each kind of its values, every node of the wider schema is asked whether the
//! case satisfies it (`rules.rs`, `objects.rs`, `arrays.rs`). A case is a view, so that everything that is said of a
//! value, beside references and in `allOf` too, counts on the narrower side. Most schemas of two versions are the same
//! (`same.rs`), and need no rule. Types contain themselves, so a question may lead back to itself: it is then assumed
//! to hold, and the assumption is withdrawn with all that follows from it if a rule fails (`checker.rs`).
//!
//! "No" needs a value, and rules cannot find one. So examples of the narrower schema and variations of them are tried
//! with both validators (`refute.rs`).
//!
//! Everything else is unknown. A complete decision takes exponential time, so the rules leave some schemas undecided,
//! patterns above all, and steps are limited (`limits.rs` of the crate). Users treat "unknown" as the worse result.

mod arrays;
mod case;
mod checker;
mod empty;
mod objects;
mod refute;
mod rules;
mod same;

pub use checker::{Inclusion, InclusionChecker};
