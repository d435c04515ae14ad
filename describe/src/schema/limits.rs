//! The limits of expansion: how far schemas are followed.
//!
//! Beyond one of them, the outcome is "unknown" where the meaning of a schema is asked for, and enough where examples
//! are made. They count steps, never time, so that the outcome is the same on every machine. Descriptions that people
//! write do not reach those for the meaning of schemas.

/// The maximum number of nodes that are about one value. A chain of references may be as
/// long.
pub(super) const MAX_LAYERS: usize = 10_000;

/// The maximum number of schemas in a generated schema that has every type where it is used.
pub(super) const MAX_INLINED: usize = 20_000;

/// The number of nodes of each value that do not count towards [`MAX_LAYERS_OF_DOCUMENT`].
pub(super) const FREE_LAYERS: usize = 64;

/// The maximum number of nodes of all values of a document, without the first [`FREE_LAYERS`] of each. A long chain of
/// references would otherwise be followed to its end from each of its links.
pub(super) const MAX_LAYERS_OF_DOCUMENT: usize = 200_000;

/// The maximum number of rounds in which the kinds are found that nodes which lead back to themselves accept.
pub(super) const MAX_ROUNDS: usize = 16;

/// The maximum number of nodes by which an alternative extends the schema that lists it.
pub(super) const MAX_EXTENSION: usize = 64;

/// The maximum number of alternatives within alternatives of the same value that are looked into.
pub(super) const MAX_NESTED_UNIONS: usize = 24;

/// The maximum number of alternatives of one union that are told apart.
pub(super) const MAX_TOLD_APART: usize = 1_000;

/// The maximum number of members of an alternative that are tried as the tag: a tag is among the
/// first.
pub(super) const MAX_TAG_CANDIDATES: usize = 200;

/// The maximum number of alternatives that are tried to combine those of one value.
pub(super) const MAX_CHOICES: usize = 10_000;

/// The number of choices that a combination counts as if its alternatives are nested too deep.
pub(super) const STEPS_OF_NESTED: usize = 100;

/// The maximum number of forms of one schema of which examples are made, or that values are compared with.
pub(super) const MAX_FORMS: usize = 1_000;

/// The maximum number of properties of all such forms that values are compared with. Each form has those that stand
/// beside its alternatives.
pub(super) const MAX_PROPERTIES_OF_FORMS: usize = 50_000;

/// The maximum number of values that are visited to find one of a shared schema.
pub(super) const MAX_VISITED_FOR_TYPE: usize = 500;

/// The maximum number of references into components that a check follows inside each other.
pub(super) const MAX_REFERENCES_INSIDE: usize = 16;

/// The maximum number of schemas for the same value that are looked into for the members that they evaluate.
pub(super) const MAX_EVALUATING: usize = 1_000;

/// The maximum number of such schemas inside each other.
pub(super) const MAX_EVALUATING_DEPTH: usize = 64;

/// The maximum number of schemas that a validator compiles.
pub(super) const MAX_COMPILED: usize = 1_000_000;

/// The maximum number of schemas that one question to a validator may take.
pub(super) const MAX_STEPS_OF_QUESTION: usize = 200_000;

/// The maximum number of schemas that all questions may take. Later ones are not decided.
pub(super) const MAX_STEPS_OF_VALIDATOR: usize = 10_000_000;

/// The maximum number of combinations of alternatives that are followed for one example.
pub(super) const MAX_EXAMPLE_CASES: usize = 24;

/// The maximum number of values that are made for one example, including those that do not match.
pub(super) const MAX_VALUES_OF_EXAMPLE: usize = 3_000;

/// The maximum number of schemas that are visited for one example.
pub(super) const MAX_VISITED_FOR_EXAMPLE: usize = 50_000;

/// The number of values that take as long to look at as a schema.
pub(super) const VALUES_PER_SCHEMA: usize = 8;

/// The maximum number of shared schemas whose examples are remembered.
pub(super) const MAX_KNOWN_EXAMPLES: usize = 100;

/// The maximum depth of an example.
pub(super) const MAX_DEPTH_OF_EXAMPLE: usize = 100;

/// The number of values in an example from which no more optional members are added.
pub(super) const MAX_SHOWN_VALUES: usize = 60;

/// The depth down to which an example has optional members and elements. Below it, an example would be
/// all detail.
pub(super) const MAX_DEPTH_OF_OPTIONAL: usize = 2;

/// The maximum number of conditions that are tried for an example.
pub(super) const MAX_CONDITIONS: usize = 12;

/// The maximum number of listed values that are tried as an example.
pub(super) const MAX_LISTED_VALUES: usize = 200;

/// The maximum number of listed values that are taken where values of every form are made.
pub(super) const MAX_LISTED_OF_EVERY: usize = 40;

/// The maximum number of values of one kind, such as strings, that are made of each form.
pub(super) const MAX_SCALARS: usize = 3;

/// The maximum number of values of every form.
pub(super) const MAX_VALUES_OF_EVERY: usize = 1_200;

/// The number of examples that the search for values of every form may cost.
pub(super) const MAX_EXAMPLES_FOR_EVERY: usize = 10;

/// The maximum number of combinations of alternatives whose keywords are looked at to vary a value.
#[cfg(feature = "variations")]
pub(super) const MAX_VARIED_CASES: usize = 12;

/// The maximum number of values that are visited to vary a value. Each is visited once for each combination of
/// alternatives that it and those around it may be.
#[cfg(feature = "variations")]
pub(super) const MAX_VISITED_TO_VARY: usize = 5_000;

/// The maximum number of nested schemas in a check. Checking is recursive, so there must be a
/// limit. The limit on the wire is usually far lower.
pub(super) const MAX_CHECK_DEPTH: u32 = 512;

/// The maximum number of combinations of alternatives that are looked at for text in a query.
pub(super) const MAX_CASES_OF_TEXT: usize = 256;
