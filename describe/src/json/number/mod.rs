//! JSON numbers: all of them exactly, and common ones quickly.

mod decimal;
mod nearest;

pub use decimal::{Decimal, is_number};
pub(super) use nearest::{double, plain, single};
