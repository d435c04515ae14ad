//! The types of integers in TypeScript.

use super::model::Range;

/// The type in TypeScript of integers that may lie beyond ±(2^53 − 1): a double does not hold all of them. Integers whose
/// bounds are within are always a `number`.
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
    /// Returns whether integers with these bounds are a `bigint`.
    pub(crate) fn are_bigint(self, bounds: Range) -> bool {
        match self {
            Self::Published => bounds.is_big(),
            Self::Bigint => !bounds.is_safe(),
            Self::Number => false,
        }
    }
}
