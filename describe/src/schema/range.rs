//! Ranges of numbers and counts, compared exactly.
//!
//! A bound may have more digits than a double holds, so bounds are compared as decimals and never
//! as floats. `check/number.rs` checks whether the number in a call is in a range.

use std::borrow::Cow;

use super::kinds::Kinds;
use super::tree::{NumberKeywords, Span};
use crate::json::Decimal;

/// The end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound<'t> {
    /// The keyword that states the bound.
    pub keyword: &'static str,
    /// The number, as it is written.
    pub number: &'t str,
    /// True if the number itself is out of range.
    pub is_exclusive: bool,
    /// The shared schema that states the bound, if it was reached by a reference.
    pub from: Option<&'t str>,
}

/// The constraints on numbers.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{Kinds, NumberBounds, SchemaTree};
///
/// let components = indexmap::IndexMap::new();
/// let schema: Json = r#"{"exclusiveMinimum": 1, "maximum": 2}"#.parse()?;
/// let tree = SchemaTree::with_components(&components);
/// let numbers = tree.read(&schema).numbers.as_deref().unwrap();
///
/// let bounds = NumberBounds::from_keywords(numbers);
/// assert!(!bounds.is_empty(Kinds::INTEGER));
/// // Integers above 1 are those from 2.
/// assert_eq!(bounds.least.unwrap().end(Kinds::INTEGER), ("2".into(), false));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct NumberBounds<'t> {
    /// The lower end.
    pub least: Option<Bound<'t>>,
    /// The upper end.
    pub most: Option<Bound<'t>>,
    /// The steps that each number is a multiple of.
    pub steps: Vec<&'t str>,
}

/// The integers between two bounds, as far as 128 bits hold them.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{NumberBounds, SchemaTree};
///
/// let components = indexmap::IndexMap::new();
/// let schema: Json = r#"{"minimum": 0, "exclusiveMaximum": 18446744073709551616}"#.parse()?;
/// let tree = SchemaTree::with_components(&components);
/// let numbers = tree.read(&schema).numbers.as_deref().unwrap();
///
/// let integers = NumberBounds::from_keywords(numbers).integers();
/// assert_eq!((integers.least, integers.greatest), (Some(0), Some(u64::MAX.into())));
/// assert!(integers.exceeds_doubles());
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IntegerRange {
    /// The least value. Anything below the least `i128` counts as that.
    pub least: Option<i128>,
    /// The greatest value. Anything above the greatest `u128` counts as that.
    pub greatest: Option<u128>,
}

impl IntegerRange {
    /// The greatest integer up to which a double holds all of them exactly.
    const MAX_SAFE: i128 = (1 << 53) - 1;

    /// Returns the integers that are in both ranges.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least: self.least.max(other.least),
            greatest: [self.greatest, other.greatest].into_iter().flatten().min(),
        }
    }

    /// Returns whether a double may not hold one of the bounds exactly.
    pub fn exceeds_doubles(self) -> bool {
        self.least.is_some_and(|least| least < -Self::MAX_SAFE)
            || self
                .greatest
                .is_some_and(|greatest| greatest > Self::MAX_SAFE.unsigned_abs())
    }
}

impl<'t> NumberBounds<'t> {
    /// Returns the range that one node states.
    pub fn from_keywords(numbers: &NumberKeywords<'t>) -> Self {
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
            if let Some(number) = number {
                self.add(Bound {
                    keyword,
                    number,
                    is_exclusive,
                    from,
                });
            }
        }
        if let Some(step) = numbers.multiple_of
            && !self.steps.contains(&step)
        {
            self.steps.push(step);
        }
    }

    /// Sets a bound, unless the present one on its side is as narrow.
    fn add(&mut self, bound: Bound<'t>) {
        let end = if bound.is_upper() {
            &mut self.most
        } else {
            &mut self.least
        };
        if end.is_none_or(|present| bound.is_narrower(present)) {
            *end = Some(bound);
        }
    }

    /// Returns the numbers that are in both ranges.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for bound in [other.least, other.most].into_iter().flatten() {
            self.add(bound);
        }
        self.steps.extend(other.steps);
        self
    }

    /// Returns whether each number of this range is within another. If integers are the only numbers among the
    /// kinds, only integers count.
    pub fn is_within(&self, other: &Self, kinds: Kinds) -> bool {
        let starts_within = match (self.least, other.least) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.rank(kinds) >= other.rank(kinds),
        };
        let ends_within = match (self.most, other.most) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.rank(kinds) <= other.rank(kinds),
        };
        starts_within && ends_within
    }

    /// Returns whether there is no number between the bounds. If integers are the only numbers among the kinds,
    /// only integers count.
    pub fn is_empty(&self, kinds: Kinds) -> bool {
        let (Some(least), Some(most)) = (self.least, self.most) else {
            return false;
        };
        let (least, is_excluded) = least.rank(kinds);
        let (most, is_included) = most.rank(kinds);
        least > most || least == most && (is_excluded || !is_included)
    }

    /// Returns the range of the integers between the bounds. A bound that 128 bits do not hold counts as their end.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a bound beyond the end becomes the end"
    )]
    pub fn integers(&self) -> IntegerRange {
        IntegerRange {
            least: self.least.map(|bound| match bound.last_integer() {
                Some(number) => number,
                None => bound.approximate().ceil() as i128,
            }),
            greatest: self.most.map(|bound| match bound.last_integer() {
                Some(number) => u128::try_from(number).unwrap_or(0),
                None => bound.approximate().floor() as u128,
            }),
        }
    }
}

impl<'t> Bound<'t> {
    /// Returns the last integer within the bound, if it has at most 127 bits.
    fn last_integer(self) -> Option<i128> {
        Decimal::new(&self.end(Kinds::INTEGER).0).to_i128()
    }

    /// Returns the double next to the bound.
    fn approximate(self) -> f64 {
        self.number.parse().unwrap_or_default()
    }

    /// Returns whether it is the upper end of a range.
    fn is_upper(self) -> bool {
        matches!(self.keyword, "maximum" | "exclusiveMaximum")
    }

    /// Returns the number of the bound, and whether it is excluded. If integers are the only numbers among the
    /// kinds, the bound is an integer: above 1 becomes from 2.
    pub fn end(self, kinds: Kinds) -> (Cow<'t, str>, bool) {
        let step = if self.is_upper() { -1 } else { 1 };
        if self.is_exclusive
            && kinds & Kinds::NUMBER == Kinds::INTEGER
            && let Some(excluded) = Decimal::new(self.number).to_i128()
            && let Some(included) = excluded.checked_add(step)
        {
            return (included.to_string().into(), false);
        }
        (self.number.into(), self.is_exclusive)
    }

    /// Returns whether this bound leaves fewer numbers than another one on the same side.
    fn is_narrower(self, other: Self) -> bool {
        let own_rank = self.rank(Kinds::NUMBER);
        let other_rank = other.rank(Kinds::NUMBER);
        if self.is_upper() {
            own_rank < other_rank
        } else {
            own_rank > other_rank
        }
    }

    /// Returns the rank among lower or upper bounds: a greater lower and a lesser upper one leave
    /// fewer numbers.
    fn rank(self, kinds: Kinds) -> (Decimal, bool) {
        let (number, is_excluded) = self.end(kinds);
        (Decimal::new(&number), is_excluded != self.is_upper())
    }
}

impl Span {
    /// Returns the span within all of these.
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
        let is_below = other
            .most
            .is_none_or(|most| self.most.is_some_and(|own_most| own_most <= most));
        self.least.unwrap_or(0) >= other.least.unwrap_or(0) && is_below
    }

    /// Returns the least and the most. One beyond the size of memory is as good as the greatest.
    pub(super) fn sizes(self) -> (usize, usize) {
        (
            size(self.least.unwrap_or(0)),
            size(self.most.unwrap_or(u64::MAX)),
        )
    }

    /// Returns whether no count is in the span.
    pub fn is_empty(self) -> bool {
        self.most.is_some_and(|most| self.least > Some(most))
    }
}

/// Returns a count as a size in memory, or the greatest size if it is beyond that.
fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
