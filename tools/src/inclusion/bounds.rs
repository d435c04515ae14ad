//! The bounds of numbers and counts, exactly.

use docent_describe::json::Decimal;
use docent_describe::schema::{Bound, Kinds, NumberBounds, Span};

/// The least and the greatest number.
#[derive(Default)]
pub(crate) struct NumberRange {
    /// The least number, and whether it is excluded. The greater of two leaves fewer numbers.
    least: Option<(Decimal, bool)>,
    /// The greatest number, and whether it is included. The lesser of two leaves fewer numbers.
    most: Option<(Decimal, bool)>,
}

impl NumberRange {
    /// Returns the range between bounds. With the kind `INTEGER`, it is about integers only.
    pub(crate) fn new(bounds: &NumberBounds<'_>, kind: Kinds) -> Self {
        let most = bounds.most.map(|bound| limit(bound, -1, kind));
        Self {
            least: bounds.least.map(|bound| limit(bound, 1, kind)),
            most: most.map(|(most, is_excluded)| (most, !is_excluded)),
        }
    }

    /// Returns the numbers that are in both ranges.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least: self.least.max(other.least),
            most: self.most.into_iter().chain(other.most).min(),
        }
    }

    /// Returns whether this range has no number that the other has not.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let is_below = |most: &_| self.most.as_ref().is_some_and(|own| own <= most);
        self.least >= other.least && other.most.as_ref().is_none_or(is_below)
    }

    /// Returns whether there is no number between the bounds.
    pub(crate) fn is_empty(&self) -> bool {
        let (Some((least, is_excluded)), Some((most, is_included))) = (&self.least, &self.most)
        else {
            return false;
        };
        least > most || least == most && (*is_excluded || !is_included)
    }
}

/// Returns the number of a bound, and whether it is excluded. The integers above 1 are those from 2.
fn limit(bound: Bound<'_>, next: i128, kind: Kinds) -> (Decimal, bool) {
    let number = Decimal::new(bound.number);
    let whole = number.to_i128().and_then(|number| number.checked_add(next));
    match whole.filter(|_| bound.is_exclusive && kind == Kinds::INTEGER) {
        Some(whole) => (Decimal::new(&whole.to_string()), false),
        None => (number, bound.is_exclusive),
    }
}

/// Returns whether each count in one span is in another.
pub(super) fn is_within(span: Span, other: Span) -> bool {
    let is_below = |most: u64| span.most.is_some_and(|own| own <= most);
    span.least.unwrap_or(0) >= other.least.unwrap_or(0) && other.most.is_none_or(is_below)
}

/// Returns whether no count is in all of some spans.
pub(super) fn are_apart(spans: impl Iterator<Item = Span> + Clone) -> bool {
    let least = spans.clone().filter_map(|span| span.least).max();
    let most = spans.filter_map(|span| span.most).min();
    least.zip(most).is_some_and(|(least, most)| least > most)
}
