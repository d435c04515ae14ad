//! Constraints on a string: its length in code points, a pattern, and a format.

use docent_describe::json::Quoted;

use super::failure::Cause;
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
        // After the length: a text that is too long is not matched.
        if let Some(rule) = &self.pattern {
            match rule.is_match(&text) {
                Ok(true) => {}
                Ok(false) => return Err(Cause::Pattern(&rule.pattern, quoted.as_written())),
                Err(length) => return Err(Cause::PatternText(rule.longest, length)),
            }
        }
        match self.format {
            Some(format) if !format.admits(&text) => {
                Err(Cause::Format(format, quoted.as_written()))
            }
            _ => Ok(()),
        }
    }
}
