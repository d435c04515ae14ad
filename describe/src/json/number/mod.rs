//! JSON numbers: all of them exactly, and common ones quickly.
//!
//! [`Decimal`] has the value of any number, for comparisons. The other functions read what fits
//! into Rust's types, for binding. None of them checks the grammar except [`is_number`].

mod decimal;
mod nearest;

pub use decimal::{Decimal, is_number};
pub(super) use nearest::{double, plain_integer, single};
