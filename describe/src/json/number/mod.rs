//! JSON numbers: all of them exactly, and common ones quickly.
//!
//! JSON has one kind of number, without limits: `42`, `42.0` and `4.2e1` are the same value, and `1e400` is one too.
//!
//! - [`Decimal`] has the exact value of any number, for the constraints of schemas: `0.3` is a multiple of `0.1`, which it
//!   is not among doubles.
//! - [`double`], [`single`] and [`plain_integer`] read numbers of Rust's types from a text, for binding. Short integers,
//!   which most numbers are, take a faster path.
//!
//! None of them checks the grammar except [`is_number`]. A crate for decimals would limit the digits or the exponent, and
//! round beyond that.

mod decimal;
mod nearest;

pub use decimal::{Decimal, is_number};
pub(super) use nearest::{double, plain_integer, single};
