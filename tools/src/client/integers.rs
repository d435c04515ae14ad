//! The types of integers in TypeScript, where the user has a choice.
//!
//! In all other languages, the published bounds decide.

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
