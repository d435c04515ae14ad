//! Constraints on a number: bounds and steps.
//!
//! A number is compared as text, because it may have more digits than a double holds. Most numbers
//! are decided before that, by their nearest doubles.

use std::cmp::Ordering;

use crate::json::Decimal;

/// The rules for a number.
#[derive(Debug, Default)]
pub(super) struct NumberRule {
    /// The lower end of the range.
    pub(super) low: Option<ComparedNumber>,
    /// The upper end of the range.
    pub(super) high: Option<ComparedNumber>,
    /// The number that a value must be a multiple of.
    pub(super) step: Option<ComparedNumber>,
}

/// A number that values are compared with, such as one end of a range.
#[derive(Debug, Clone)]
pub(super) struct ComparedNumber {
    /// The number, exactly.
    pub(super) value: Decimal,
    /// The double that is nearest to the number.
    nearest: f64,
    /// The number, if it is an integer of at most 128 bits.
    integer: Option<i128>,
    /// The text, as it was written.
    pub(super) text: Box<str>,
    /// True if the number itself is outside.
    pub(super) exclusive: bool,
}

impl ComparedNumber {
    /// Creates a bound from a number as it is written.
    pub(super) fn new(text: &str, exclusive: bool) -> Self {
        let value = Decimal::new(text);
        Self {
            integer: value.to_i128(),
            value,
            nearest: nearest(text),
            text: text.into(),
            exclusive,
        }
    }

    /// Creates a step. Returns `None` if `text` is not greater than zero, or has too many digits to
    /// divide by.
    pub(super) fn step(text: &str) -> Option<Self> {
        let step = Self::new(text, false);
        // Every number is a multiple of itself, unless it has too many digits.
        let is_usable = step.value > Decimal::new("0") && step.value.is_multiple_of(&step.value);
        is_usable.then_some(step)
    }

    /// Returns whether an integer is sure to be above this lower bound.
    #[inline]
    fn is_surely_below(&self, number: i128) -> bool {
        self.integer
            .is_some_and(|least| least.saturating_add(self.exclusive.into()) <= number)
    }

    /// Returns whether an integer is sure to be below this upper bound.
    #[inline]
    fn is_surely_above(&self, number: i128) -> bool {
        self.integer
            .is_some_and(|most| number <= most.saturating_sub(self.exclusive.into()))
    }

    /// Returns whether a number is on the inner side of this end of a range, which values have the
    /// order `inner` to.
    fn admits(&self, number: f64, text: &str, inner: Ordering) -> bool {
        // Rounding keeps the order, so only numbers with the same nearest double need their digits.
        let order = match number.partial_cmp(&self.nearest) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => order,
            _ => Decimal::new(text).cmp(&self.value),
        };
        order == inner || order == Ordering::Equal && !self.exclusive
    }
}

impl NumberRule {
    /// Returns whether every number from `least` to `greatest` follows the rules.
    pub(super) fn is_implied_by(&self, least: &str, greatest: &str) -> bool {
        let least = Decimal::new(least);
        let greatest = Decimal::new(greatest);
        let low = self.low.as_ref();
        let high = self.high.as_ref();
        self.step.is_none()
            && low.is_none_or(|low| !low.exclusive && low.value <= least)
            && high.is_none_or(|high| !high.exclusive && high.value >= greatest)
    }

    /// Returns whether an integer is sure to follow the rules.
    #[inline]
    pub(super) fn admits_integer(&self, number: u64) -> bool {
        self.step.is_none()
            && self
                .low
                .as_ref()
                .is_none_or(|low| low.is_surely_below(number.into()))
            && self
                .high
                .as_ref()
                .is_none_or(|high| high.is_surely_above(number.into()))
    }

    /// Returns whether a number follows the rules, in any notation.
    pub(super) fn admits(&self, text: &str) -> bool {
        let number = nearest(text);
        self.low
            .as_ref()
            .is_none_or(|low| low.admits(number, text, Ordering::Greater))
            && self
                .high
                .as_ref()
                .is_none_or(|high| high.admits(number, text, Ordering::Less))
            && self
                .step
                .as_ref()
                .is_none_or(|step| Decimal::new(text).is_multiple_of(&step.value))
    }
}

/// Returns the double that is nearest to a number.
fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
