//! Constraints on a string: its length in code points, a pattern, and a format.
//!
//! The limits on a number of things are here too, because arrays and objects have them as well.

use crate::pattern::Pattern;

use crate::schema::format::Format;
use crate::schema::tree::Span;

/// The rules for a string.
#[derive(Debug)]
pub(super) struct StringRule {
    /// The number of code points.
    pub(super) length: Count,
    /// The pattern that a text matches somewhere.
    pub(super) pattern: Option<Pattern>,
    pub(super) format: FormatRule,
    /// The content encoding, which is checked as a format is.
    pub(super) encoding: FormatRule,
}

/// The format of a string.
#[derive(Debug, Clone, Copy)]
pub(super) enum FormatRule {
    /// No format, or one that is not enforced.
    Any,
    /// A format that is checked.
    Enforced(&'static Format),
    /// A format of which it is unknown whether it is enforced, or one that is unknown.
    Uncertain(Option<&'static Format>),
}

/// The limits on a number of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// The least number.
    pub(super) min: usize,
    /// The greatest number.
    pub(super) max: usize,
}

impl Count {
    /// No limits.
    pub(super) const ANY: Self = Self {
        min: 0,
        max: usize::MAX,
    };

    /// Returns the limits that a schema states.
    pub(super) fn from_span(span: Span) -> Self {
        let (min, max) = span.sizes();
        Self { min, max }
    }

    /// Returns whether `count` is within the limits.
    #[inline]
    pub(super) fn admits(self, count: usize) -> bool {
        self.min <= count && count <= self.max
    }
}
