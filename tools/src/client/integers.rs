//! The types of integers in TypeScript, where the user has a choice.
//!
//! In all other languages, the published bounds decide.

use docent_describe::schema::IntegerRange;

/// The type in TypeScript of integers that may lie beyond ±(2^53 − 1): a double does not hold all of them. Integers
/// whose bounds are within are always a `number`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integers {
    /// `bigint` if the published bounds go beyond, and `number` for integers without bounds.
    #[default]
    Published,
    /// `bigint`, which is exact.
    Bigint,
    /// `number`, which rounds those that it cannot hold.
    Number,
}

impl Integers {
    /// Returns whether integers between these bounds are a `bigint`.
    pub(super) fn are_bigint(self, range: IntegerRange) -> bool {
        match self {
            Self::Published => range.exceeds_doubles(),
            Self::Bigint => {
                let is_bounded = range.least.is_some() && range.greatest.is_some();
                !is_bounded || range.exceeds_doubles()
            }
            Self::Number => false,
        }
    }
}
