//! How much of a value is shown where it stands.

/// How much of a value is shown in place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// The parts that are said beside shared types, which are links to their pages.
    Own,
    /// Nothing, because the value is inside another with the same schemas.
    Nothing,
}
