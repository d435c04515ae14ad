//! Decides whether one schema includes another: whether every value of the narrower schema is a value of the wider one.
//!
//! In come nodes of two descriptions, "narrow" and "wide"; out comes an [`Inclusion`]: yes, no with a value that shows
//! it, or unknown. A comparison asks in both directions, `check` asks whether a schema has any value at all.
//!
//! ```text
//! narrow: {"type": "integer", "minimum": 1}
//! wide:   {"type": ["number", "null"]}
//!
//! narrow in wide: yes
//! wide in narrow: no, as null shows
//! ```
//!
//! "Yes" follows from rules. The narrower schema is taken apart into cases (`case.rs`), one for each way through its
//! alternatives, and for each case and each kind of its values, every node of the wider schema is asked whether the
//! case satisfies it (`rules.rs`, `objects.rs`, `arrays.rs`). A case is a view, so that everything that is said of a
//! value, beside references and in `allOf` too, counts on the narrower side.
//!
//! "No" needs a value that the narrower schema accepts and the wider one does not. Rules cannot find one, so
//! values are tried with both validators (`refute.rs`).
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
