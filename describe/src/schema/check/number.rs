//! Constraints on a number: bounds and steps.

use std::cmp::Ordering;

use crate::json::Decimal;

/// The rules for a number.
#[derive(Debug, Default)]
pub(super) struct NumberRule {
    pub(super) low: Option<Bound>,
    pub(super) high: Option<Bound>,
    /// The number that a value must be a multiple of.
    pub(super) step: Option<Bound>,
}

/// A number that values are compared with, such as one end of a range.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub(super) value: Decimal,
    nearest: f64,
    whole: Option<i128>,
    /// The text, as it was written.
    pub(super) text: Box<str>,
    pub(super) exclusive: bool,
}

impl Bound {
    pub(super) fn new(text: &str, exclusive: bool) -> Self {
        let value = Decimal::new(text);
        Self {
            whole: value.to_i128(),
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
        let below = |bound: &Bound| !bound.exclusive && bound.value <= Decimal::new(least);
        let above = |bound: &Bound| !bound.exclusive && bound.value >= Decimal::new(greatest);
        self.step.is_none()
            && self.low.as_ref().is_none_or(below)
            && self.high.as_ref().is_none_or(above)
    }

    /// Returns whether an integer is sure to follow the rules.
    #[inline]
    pub(super) fn admits_whole(&self, number: u64) -> bool {
        let number = i128::from(number);
        let is_above = |low: &Bound| {
            let least = low
                .whole
                .map(|least| least.saturating_add(low.exclusive.into()));
            least.is_some_and(|least| least <= number)
        };
        let is_below = |high: &Bound| {
            let most = high
                .whole
                .map(|most| most.saturating_sub(high.exclusive.into()));
            most.is_some_and(|most| number <= most)
        };
        self.step.is_none()
            && self.low.as_ref().is_none_or(is_above)
            && self.high.as_ref().is_none_or(is_below)
    }

    /// Returns whether a number follows the rules, in any notation.
    pub(super) fn admits(&self, text: &str) -> bool {
        let number = nearest(text);
        let low = |bound: &Bound| bound.admits(number, text, Ordering::Greater);
        let high = |bound: &Bound| bound.admits(number, text, Ordering::Less);
        let step = |step: &Bound| Decimal::new(text).is_multiple_of(&step.value);
        self.low.as_ref().is_none_or(low)
            && self.high.as_ref().is_none_or(high)
            && self.step.as_ref().is_none_or(step)
    }
}

/// Returns the double that is nearest to a number.
fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
