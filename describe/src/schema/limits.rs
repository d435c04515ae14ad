//! The limits of expansion: how far schemas are followed before the answer is "cannot tell", or what was made of them
//! is enough.
//!
//! They count steps, never time, so an answer is the same on every machine. No description that a person wrote
//! reaches one of the first sort.

/// The maximum number of nodes that say something of one value. A chain of references may be as long.
pub(super) const MAX_LAYERS: usize = 10_000;

/// The maximum number of times that nodes which lead back to themselves are asked for the kinds that they accept.
pub(super) const MAX_ROUNDS: usize = 16;

/// The maximum number of alternatives within alternatives of the same value that are looked into.
pub(super) const MAX_NESTED_UNIONS: usize = 24;

/// The maximum number of alternatives of one union that are told apart.
pub(super) const MAX_TOLD_APART: usize = 1_000;

/// The maximum number of members of an alternative that are tried as the tag: a tag is among the first.
pub(super) const MAX_TAG_CANDIDATES: usize = 200;

/// The maximum number of alternatives that are tried to combine those of one value.
pub(super) const MAX_CHOICES: usize = 10_000;

/// The maximum number of forms of one schema of which examples are made.
pub(super) const MAX_FORMS: usize = 1_000;

/// The maximum number of references into components that a check follows inside each other.
pub(super) const MAX_REFERENCES_INSIDE: usize = 16;

/// The maximum number of schemas for the same value that are looked into for what they evaluate.
pub(super) const MAX_EVALUATING: usize = 1_000;

/// The maximum number of these inside each other.
pub(super) const MAX_EVALUATING_DEPTH: usize = 64;

/// The maximum number of schemas that a validator compiles.
pub(super) const MAX_COMPILED: usize = 1_000_000;

/// The maximum number of schemas that one question to a validator may take.
pub(super) const MAX_STEPS_OF_QUESTION: usize = 200_000;

/// The maximum number of schemas that all questions may take. Later ones are not decided.
pub(super) const MAX_STEPS_OF_VALIDATOR: usize = 10_000_000;
