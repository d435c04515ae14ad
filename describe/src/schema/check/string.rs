//! Constraints on a string: its length in code points, a pattern, and a format.

use crate::pattern::Pattern;

use super::format::Format;

/// The rules for a string.
#[derive(Debug)]
pub(super) struct StringRule {
    pub(super) length: Count,
    pub(super) pattern: Option<PatternRule>,
    pub(super) format: Option<Format>,
}

/// A pattern, and the maximum length of a text that is matched against it, in characters.
#[derive(Debug, Clone)]
pub(super) struct PatternRule {
    pub(super) pattern: Pattern,
    pub(super) longest: usize,
}

impl PatternRule {
    /// Returns whether there is a match anywhere in a text.
    ///
    /// # Errors
    /// The length of the text in characters, if it is too long to be matched.
    #[inline]
    pub(super) fn is_match(&self, text: &str) -> Result<bool, usize> {
        // A text has at least as many bytes as characters, and most are far shorter.
        if text.len() > self.longest {
            let length = text.chars().count();
            if length > self.longest {
                return Err(length);
            }
        }
        Ok(self.pattern.is_match(text))
    }
}

/// The limits on a number of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) min: usize,
    pub(super) max: usize,
}

impl Count {
    /// No limits.
    pub(super) const ANY: Self = Self {
        min: 0,
        max: usize::MAX,
    };

    /// Returns whether `count` is within the limits.
    #[inline]
    pub(super) fn admits(self, count: usize) -> bool {
        self.min <= count && count <= self.max
    }
}
