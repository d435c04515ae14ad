//! Constraints on a string: its length in code points, a pattern, and a format.

use super::format::Format;
use super::pattern::PatternRule;

/// The rules for a string.
#[derive(Debug)]
pub(super) struct StringRule {
    pub(super) length: Count,
    pub(super) pattern: Option<PatternRule>,
    pub(super) format: Option<Format>,
}

/// How many there may be of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) min: usize,
    pub(super) max: usize,
}

impl Count {
    /// Any number of them.
    pub(super) const ANY: Self = Self {
        min: 0,
        max: usize::MAX,
    };

    /// Whether there may be `count` of them.
    #[inline]
    pub(super) fn admits(self, count: usize) -> bool {
        self.min <= count && count <= self.max
    }
}
