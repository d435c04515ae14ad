//! The extent to which a value is shown in place.
//!
//! It is decided in `tree`, and respected by all that say something about the value: `facts`, `row` and
//! `shown`.

/// The extent to which a value is shown in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything that is said of it.
    All,
    /// The parts that are said beside shared types, which are links to their pages.
    Own,
    /// Nothing, because the value is inside another with the same schemas.
    Nothing,
}
