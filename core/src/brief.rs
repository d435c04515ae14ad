//! How much of a text an error message shows.

/// How many characters of a caller's text a reason quotes.
pub(crate) const QUOTED: usize = 40;
/// How many bytes a reason has at most.
pub(crate) const REASON: usize = 300;
