//! The limits of expansion: how far tools follow schemas. Those of the model itself are in `docent-describe`.
//!
//! They count steps, never time, so an answer is the same on every machine.

/// The maximum number of pairs of schemas that are compared for one parameter, result or error.
pub(crate) const MAX_PAIRS: usize = 20_000;

/// The maximum number of pairs for all of them. Schemas after that are compared as a whole.
pub(crate) const MAX_PAIRS_EVER: usize = 300_000;

/// The maximum depth of pairs inside each other. Pairs that are deeper are compared after the others, as if a
/// comparison began with them, because a short document can have a chain of types of any length.
pub(crate) const MAX_DEPTH_OF_PAIRS: usize = 64;

/// The maximum number of pairs of alternatives that are compared to find those that correspond.
pub(crate) const MAX_PAIRS_OF_ALTERNATIVES: usize = 10_000;

/// The maximum number of steps to find out whether one schema includes another.
pub(crate) const MAX_STEPS_OF_INCLUSION: usize = 4_000;

/// The maximum number of steps for all such questions of a comparison, with the schemas and values that they take.
pub(crate) const MAX_STEPS_OF_INCLUSIONS: usize = 4_000_000;

/// The maximum number of steps of one search for a value that a schema does not include.
pub(crate) const MAX_STEPS_OF_SEARCH: usize = 200_000;

/// The number of steps that the search for a value counts as, beside the schemas and values that it takes.
pub(crate) const STEPS_OF_SEARCH: usize = 100;

/// The maximum number of schemas that are visited for one example of what a schema does not include.
pub(crate) const MAX_VISITED_FOR_EXAMPLE: usize = 5_000;

/// The maximum depth of schemas inside each other of which one may include the other.
pub(crate) const MAX_DEPTH_OF_INCLUSION: usize = 100;

/// The maximum number of values, with those inside them, that all known counterexamples have together. Each contains
/// those of its parts.
pub(crate) const MAX_COUNTEREXAMPLES_SIZE: usize = 1_000_000;

/// The maximum number of combinations of alternatives of one schema that may include another. Alternatives that
/// would make more are not told apart.
pub(crate) const MAX_CASES_OF_INCLUSION: usize = 48;

/// The maximum number of nodes of a case that are compared with those of the wider schema.
pub(crate) const MAX_NODES_OF_CASE: usize = 200;

/// The maximum number of values that are tried to show that a schema does not include another.
pub(crate) const MAX_REFUTING_VALUES: usize = 1_000;

/// The maximum number of such objects that are tried with a member that is known not to fit, and of conditions and
/// alternatives. For each of them, an example is copied with all its members.
pub(crate) const MAX_REFUTING_MEMBERS: usize = 20;

/// The maximum number of patterns for names that are tried. A name is made for each, and matched against all of them.
pub(crate) const MAX_REFUTING_PATTERNS: usize = 200;

/// The maximum number of members of all objects that are tried with more and more of the members that conditions are
/// about.
pub(crate) const MAX_COPIED_MEMBERS: usize = 20_000;

/// The maximum number of such searches inside each other, for members whose names match a pattern.
pub(crate) const MAX_NESTED_SEARCHES: usize = 8;

/// The maximum number of equal elements of an array that is tried in such a search.
pub(crate) const MAX_EQUAL_ELEMENTS: usize = 3;

/// The maximum depth to which types of clients follow a schema.
pub(crate) const MAX_DEPTH_OF_TYPE: usize = 64;

/// The maximum number of members that types get from schemas that combine others. A short description can
/// combine the same long schema again and again.
pub(crate) const MAX_COMBINED_MEMBERS: usize = 100_000;

/// The maximum number of members that all alternatives of a union have, counted once for each alternative, which become
/// types of their own. With more, alternatives that only differ in what they require are one type.
pub(crate) const MAX_REPEATED_MEMBERS: usize = 5_000;

/// The maximum number of combinations of alternatives that become alternatives of a type.
pub(crate) const MAX_CASES_OF_TYPE: usize = 40;

/// The maximum depth to which `check` follows a schema in a description.
pub(crate) const MAX_DEPTH_OF_LINT: usize = 64;

/// The maximum number of combinations of alternatives in which a live check looks for listed values.
pub(crate) const MAX_CASES_OF_TEST: usize = 64;
