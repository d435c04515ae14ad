//! Bounds of one schema beside those of another.

use super::arrays::ITEMS;
use super::numbers;
use super::objects::PROPERTIES;
use super::strings::{Count, LENGTH};
use crate::json::Object;

/// What bounds are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spans {
    Number,
    Length,
    Items,
    Properties,
}

impl Spans {
    pub(crate) const ALL: &[Self] = &[Self::Number, Self::Length, Self::Items, Self::Properties];

    /// The keywords of the least and the greatest, bounds of numbers that are exclusive aside.
    pub(crate) fn keywords(self) -> [&'static str; 2] {
        match self {
            Self::Number => ["minimum", "maximum"],
            Self::Length => LENGTH,
            Self::Items => ITEMS,
            Self::Properties => PROPERTIES,
        }
    }

    /// Whether what a schema leaves is left by another too.
    pub(crate) fn is_within(self, words: &Object, other: &Object) -> bool {
        if self == Self::Number {
            return numbers::is_within(words, other);
        }
        let count = |words| Count::of(std::iter::once(words), self.keywords());
        count(words).is_within(&count(other))
    }
}
