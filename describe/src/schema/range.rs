//! Ranges of numbers and counts, exactly.

use std::borrow::Cow;

use super::kinds::Kinds;
use super::tree::{NumberKeywords, Span};
use crate::json::Decimal;

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound<'t> {
    /// The keyword that says so.
    pub keyword: &'static str,
    /// The number, as it is written.
    pub number: &'t str,
    /// True if the number itself is outside.
    pub is_exclusive: bool,
    /// The shared schema that says so, if it was reached by a reference.
    pub from: Option<&'t str>,
}

/// The constraints on numbers.
#[derive(Debug, Clone, Default)]
pub struct NumberBounds<'t> {
    /// The lower end.
    pub least: Option<Bound<'t>>,
    /// The upper end.
    pub most: Option<Bound<'t>>,
    /// The steps that each number is a multiple of.
    pub steps: Vec<&'t str>,
}

impl<'t> NumberBounds<'t> {
    /// Returns the range that one node states.
    pub fn of(numbers: &NumberKeywords<'t>) -> Self {
        let mut bounds = Self::default();
        bounds.narrow(numbers, None);
        bounds
    }

    /// Narrows the range to that of a node, which may be one of a shared schema.
    pub(super) fn narrow(&mut self, numbers: &NumberKeywords<'t>, from: Option<&'t str>) {
        for (keyword, number, is_exclusive) in [
            ("minimum", numbers.least, false),
            ("exclusiveMinimum", numbers.above, true),
            ("maximum", numbers.most, false),
            ("exclusiveMaximum", numbers.below, true),
        ] {
            self.add(number.map(|number| Bound {
                keyword,
                number,
                is_exclusive,
                from,
            }));
        }
        let step = numbers.multiple_of;
        self.steps
            .extend(step.filter(|it| !self.steps.contains(it)));
    }

    fn add(&mut self, bound: Option<Bound<'t>>) {
        let Some(bound) = bound else {
            return;
        };
        let end = if bound.is_upper() {
            &mut self.most
        } else {
            &mut self.least
        };
        let is_narrower = |known: Bound<'t>| {
            let (new, known) = (bound.rank(Kinds::NUMBER), known.rank(Kinds::NUMBER));
            new != known && (new < known) == bound.is_upper()
        };
        if end.is_none_or(is_narrower) {
            *end = Some(bound);
        }
    }

    /// Returns the numbers that are in both ranges.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.add(other.least);
        self.add(other.most);
        self.steps.extend(other.steps);
        self
    }

    /// Returns whether each number of this range is between the bounds of another. If integers are the only numbers
    /// among the kinds, it is about these.
    pub fn is_within(&self, other: &Self, kinds: Kinds) -> bool {
        let rank = |bound: Option<Bound<'t>>| bound.map(|bound| bound.rank(kinds));
        rank(self.least) >= rank(other.least)
            && rank(other.most).is_none_or(|most| rank(self.most).is_some_and(|own| own <= most))
    }

    /// Returns whether there is no number between the bounds. If integers are the only numbers among the kinds, it is
    /// about these.
    pub fn is_empty(&self, kinds: Kinds) -> bool {
        let (Some(least), Some(most)) = (self.least, self.most) else {
            return false;
        };
        let [(least, is_excluded), (most, is_included)] = [least, most].map(|it| it.rank(kinds));
        least > most || least == most && (is_excluded || !is_included)
    }
}

impl<'t> Bound<'t> {
    fn is_upper(self) -> bool {
        matches!(self.keyword, "maximum" | "exclusiveMaximum")
    }

    /// Returns the number of the bound, and whether it is excluded. If integers are the only numbers among the kinds,
    /// those above 1 are those from 2.
    pub fn end(self, kinds: Kinds) -> (Cow<'t, str>, bool) {
        let next = if self.is_upper() { -1 } else { 1 };
        let whole = Decimal::new(self.number).to_i128();
        let whole = whole.and_then(|number| number.checked_add(next));
        match whole.filter(|_| self.is_exclusive && kinds & Kinds::NUMBER == Kinds::INTEGER) {
            Some(whole) => (whole.to_string().into(), false),
            None => (self.number.into(), self.is_exclusive),
        }
    }

    /// Returns the rank among lower or upper bounds: a greater lower and a lesser upper one leave fewer numbers.
    fn rank(self, kinds: Kinds) -> (Decimal, bool) {
        let (number, is_excluded) = self.end(kinds);
        (Decimal::new(&number), is_excluded != self.is_upper())
    }
}

impl Span {
    /// Returns what is left where several apply.
    pub fn all_of(spans: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for span in spans {
            all.least = all.least.max(span.least);
            all.most = match (all.most, span.most) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        all
    }

    /// Returns whether each count in this span is in another.
    pub fn is_within(self, other: Self) -> bool {
        let is_below = |most: u64| self.most.is_some_and(|own| own <= most);
        self.least.unwrap_or(0) >= other.least.unwrap_or(0) && other.most.is_none_or(is_below)
    }

    /// Returns the least and the most. One beyond the size of memory is as good as the greatest.
    pub(super) fn sizes(self) -> (usize, usize) {
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        (
            self.least.map_or(0, size),
            self.most.map_or(usize::MAX, size),
        )
    }

    /// Returns whether no count is in the span.
    pub fn is_empty(self) -> bool {
        self.most.is_some_and(|most| self.least > Some(most))
    }
}
