//! The bounds of numbers, lengths and counts, exactly.

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::Kinds;

/// The quantity that bounds are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Number,
    Length,
    Items,
    Properties,
}

impl Measure {
    /// Returns the keywords for the least, for the greatest, and for those that are exclusive.
    pub(super) fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::Number => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
            Self::Length => &["minLength", "maxLength"],
            Self::Items => &["minItems", "maxItems"],
            Self::Properties => &["minProperties", "maxProperties"],
        }
    }
}

/// The least and the greatest number.
#[derive(Debug, Default)]
pub(super) struct NumberBounds {
    /// The least number, and whether it is excluded. The greater of two leaves fewer numbers.
    pub(super) least: Option<(Decimal, bool)>,
    /// The greatest number, and whether it is included. The lesser of two leaves fewer numbers.
    pub(super) most: Option<(Decimal, bool)>,
}

impl NumberBounds {
    /// Returns the bounds of all of some schemas. With the kind `INTEGER`, they are about integers
    /// only.
    pub(super) fn of<'w>(
        schemas: impl Iterator<Item = &'w Object>,
        measure: Measure,
        kind: Kinds,
    ) -> Self {
        let mut bounds = Self::default();
        if measure != Measure::Number {
            bounds.at_least(0);
        }
        for words in schemas {
            for (at, keyword) in measure.keywords().iter().enumerate() {
                let Some(Json::Number(text)) = words.get(keyword) else {
                    continue;
                };
                let (is_least, mut is_exclusive) = (at % 2 == 0, at > 1);
                let mut value = Decimal::new(text);
                // The integers above 1 are those from 2.
                let next = if is_least { 1 } else { -1 };
                let whole = value.to_i128().and_then(|value| value.checked_add(next));
                if let Some(whole) = whole.filter(|_| is_exclusive && kind == Kinds::INTEGER) {
                    (value, is_exclusive) = (Decimal::new(&whole.to_string()), false);
                }
                if is_least {
                    bounds.least = bounds.least.max(Some((value, is_exclusive)));
                } else {
                    bounds.limit((value, !is_exclusive));
                }
            }
        }
        bounds
    }

    pub(super) fn at_least(&mut self, least: usize) {
        let least = (Decimal::new(&least.to_string()), false);
        self.least = self.least.take().max(Some(least));
    }

    pub(super) fn at_most(&mut self, most: usize) {
        self.limit((Decimal::new(&most.to_string()), true));
    }

    fn limit(&mut self, most: (Decimal, bool)) {
        self.most = self.most.take().into_iter().chain([most]).min();
    }

    /// Returns whether these bounds leave no number that the others do not.
    pub(super) fn are_within(&self, other: &Self) -> bool {
        let is_below = |most: &_| self.most.as_ref().is_some_and(|own| own <= most);
        self.least >= other.least && other.most.as_ref().is_none_or(is_below)
    }

    /// Returns whether there is no number between the bounds.
    pub(super) fn are_empty(&self) -> bool {
        let (Some((least, is_excluded)), Some((most, is_included))) = (&self.least, &self.most)
        else {
            return false;
        };
        least > most || least == most && (*is_excluded || !is_included)
    }
}
