//! Finds out whether one schema includes another: whether every value of the narrower schema is a
//! value of the wider one.
//!
//! "Yes" follows from rules: each node of the wider schema is asked whether it holds for each case (`case.rs`) of
//! the narrower one. "No" comes with a value that the narrower schema takes and the wider one does not, and that has
//! been checked with both. Everything else is unknown: the rules are not complete, and there is a limit on how long
//! they are applied.

mod arrays;
mod case;
mod empty;
mod includes;
mod objects;
mod refute;
mod rules;
mod same;

pub use includes::{Includes, Inclusion};
