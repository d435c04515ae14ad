//! JSON numbers: all of them exactly, and common ones quickly.

mod decimal;
mod literal;
mod nearest;
mod whole;

pub use decimal::Decimal;
pub use literal::is_number;
pub(super) use nearest::{double, plain, single};
pub use whole::{NotWhole, Whole};
