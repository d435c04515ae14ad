//! Finds out whether one schema includes another: whether every value of the narrower schema is a
//! value of the wider one.
//!
//! "Yes" follows from rules, one for each keyword of the wider schema, applied to each
//! case (`cases.rs`) of the narrower one. "No" comes with a value that the narrower schema takes and the
//! wider one does not, and that a [`Validator`](docent_describe::schema::Validator) has checked with
//! both. Everything else is unknown: the rules are not complete, and there is a limit on how long they
//! are applied.

mod arrays;
mod bounds;
mod case;
mod cases;
mod empty;
mod includes;
mod objects;
mod refute;
mod rules;
mod same;

pub(crate) use case::{asserts, followed, takes_all};
pub(crate) use includes::address;
pub use includes::{Includes, Inclusion};
