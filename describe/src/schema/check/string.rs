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

/// A pattern, and the most characters of a text that is matched against it at all.
#[derive(Debug, Clone)]
pub(super) struct PatternRule {
    pub(super) pattern: Pattern,
    pub(super) longest: usize,
}

impl PatternRule {
    /// Whether there is a match anywhere in a text.
    ///
    /// # Errors
    /// The text is too long to be matched; it has this many characters.
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
