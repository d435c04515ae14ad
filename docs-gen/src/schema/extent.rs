//! The extent to which a value is visible below its row.
//!
//! `tree` decides it, and everything that says something about the value respects it: `facts`, `row` and `visible`.

/// The extent to which a value is visible below its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything that its schemas say.
    All,
    /// The parts that are said beside shared types, which are links to their pages.
    Own,
    /// Nothing, because the value is inside another with the same schemas.
    Nothing,
}
