//! What is asserted about a string: its length in code points, and a pattern.

use regex::Regex;

use super::failure::Cause;
use crate::text::Quoted;

/// The rules for a string.
#[derive(Debug)]
pub(super) struct StringRule {
    pub(super) length: Count,
    pub(super) pattern: Option<Regex>,
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

impl StringRule {
    /// Checks a string.
    pub(super) fn check<'a>(&'a self, quoted: Quoted<'a>) -> Result<(), Cause<'a>> {
        // Half of a surrogate pair is one code point, as is the character that stands in for it.
        let text = quoted.unescape();
        if self.length != Count::ANY {
            let count = text.chars().count();
            if !self.length.admits(count) {
                return Err(Cause::Length(self.length, count));
            }
        }
        match &self.pattern {
            Some(pattern) if !pattern.is_match(&text) => Err(Cause::Pattern(pattern, quoted.text)),
            _ => Ok(()),
        }
    }
}
