//! The types of integers in TypeScript.

/// The type in TypeScript of integers whose bounds go beyond ±(2^53 − 1): a double does not hold all of them. Other
/// integers are a `number`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Integers {
    /// `bigint`, which is exact.
    #[default]
    Bigint,
    /// `number`, which rounds those that it cannot hold.
    Number,
}
