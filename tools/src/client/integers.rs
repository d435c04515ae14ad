//! The types of integers in TypeScript and Rust, where the user has a choice.
//!
//! Otherwise, the published bounds decide. Python has integers of any size.

use docent_describe::schema::IntegerRange;

/// The type of integers that may be wider than usual. In TypeScript, these are integers that may lie beyond
/// ±(2^53 − 1), since a double does not hold all of them; in Rust, those without bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integers {
    /// `bigint` in TypeScript if the published bounds go beyond, and `number` for integers without bounds. In Rust,
    /// 64 bits for integers without bounds.
    #[default]
    Published,
    /// `bigint` in TypeScript, which is exact.
    Bigint,
    /// `number` in TypeScript, which rounds those that it cannot hold.
    Number,
    /// `i128` or `u128` in Rust for integers without bounds.
    I128,
}

impl Integers {
    /// Returns whether integers between these bounds are a `bigint` in TypeScript.
    pub(super) fn are_bigint(self, range: IntegerRange) -> bool {
        match self {
            Self::Published | Self::I128 => range.exceeds_doubles(),
            Self::Bigint => {
                let is_bounded = range.least.is_some() && range.greatest.is_some();
                !is_bounded || range.exceeds_doubles()
            }
            Self::Number => false,
        }
    }
}
