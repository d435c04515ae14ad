//! Makes numbers: usual ones, those at and between the bounds, and multiples of the steps.
//!
//! Nothing is solved here. Enough numbers are offered that one of them matches, if bounds and steps
//! are those that people write.

use super::FoundValues;
use crate::json::{Decimal, Json};
use crate::schema::kinds::Kinds;
use crate::schema::view::View;

/// The maximum number of steps on each side of a bound that are tried.
const MAX_STEPS: i128 = 40;
/// The number of digits from which on a bound is not read.
const MAX_DIGITS: usize = 400;
/// The maximum number of decimal places.
const MAX_DECIMAL_PLACES: usize = 17;

/// Offers whole numbers or fractions, the most usual first.
pub(super) fn offer(case: &View<'_>, kind: Kinds, found: &mut FoundValues<'_, '_>) {
    let bounds = case.numbers();
    let least = bounds.least.map(|bound| bound.number).filter(is_short);
    let most = bounds.most.map(|bound| bound.number).filter(is_short);
    let mut steps = bounds.steps;
    steps.retain(is_short);
    let mut edges: Vec<&str> = least.into_iter().chain(most).collect();
    edges.extend(&steps);
    let scale = Scale::for_numbers(&edges, kind == Kinds::INTEGER);
    // The bounds of a type make poor examples.
    if case.width().is_some() {
        let usual = if scale.is_of_integers { 2 } else { 3 };
        scale.offer(usual * scale.half(), found);
    }
    let zero = Decimal::new("0");
    for text in edges.into_iter().filter(|text| Decimal::new(text) != zero) {
        match scale.read(text) {
            Some(number) if scale.is_of_integers => scale.offer(number, found),
            _ => found.offer(Json::Number(text.into())),
        }
    }
    for halves in [2, 1, 3, 0, 5, -1, -2] {
        scale.offer(halves * scale.half(), found);
    }
    let low = least.and_then(|text| scale.read(text));
    let high = most.and_then(|text| scale.read(text));
    if let (Some(low), Some(high)) = (low, high) {
        scale.offer(i128::midpoint(low, high), found);
    }
    for text in steps {
        if let Some(step) = scale.read(text)
            && step > 0
        {
            for edge in low.into_iter().chain(high).chain([0]) {
                scale.offer_multiples(step, edge, found);
            }
        }
    }
    for count in 1..MAX_STEPS {
        let distance = count * scale.one;
        if let Some(low) = low {
            scale.offer(low.saturating_add(distance), found);
        }
        if let Some(high) = high {
            scale.offer(high.saturating_sub(distance), found);
        }
        scale.offer(distance + scale.one, found);
    }
    for number in 1..4 {
        scale.offer(-number * scale.one, found);
    }
}

/// Returns whether a bound has few enough digits to be read.
fn is_short(text: &&str) -> bool {
    text.len() < MAX_DIGITS
}

/// Numbers as multiples of a power of ten, so that sums and multiples are exact.
struct Scale {
    /// True if only whole numbers are offered.
    is_of_integers: bool,
    /// The number of decimal places.
    decimal_places: usize,
    /// The number 1 in this scale.
    one: i128,
}

impl Scale {
    /// Creates a scale for numbers like these. It has one decimal place more, so that there are
    /// numbers between two of them.
    fn for_numbers(numbers: &[&str], is_of_integers: bool) -> Self {
        let used_places = numbers
            .iter()
            .map(|text| places_of(text))
            .max()
            .unwrap_or(0);
        let decimal_places = (used_places + 1).min(MAX_DECIMAL_PLACES);
        let mut one = 1;
        for _ in 0..decimal_places {
            one *= 10;
        }
        Self {
            is_of_integers,
            decimal_places,
            one,
        }
    }

    /// Returns the number 0.5 in this scale.
    fn half(&self) -> i128 {
        self.one / 2
    }

    /// Reads a number, if it has few enough digits.
    fn read(&self, text: &str) -> Option<i128> {
        if text.contains(['e', 'E']) {
            return Decimal::new(text).to_i128()?.checked_mul(self.one);
        }
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        let missing = self.decimal_places.checked_sub(after.len())?;
        [before, after, &"0".repeat(missing)].concat().parse().ok()
    }

    /// Offers multiples of a step, from just below an edge on.
    fn offer_multiples(&self, step: i128, edge: i128, found: &mut FoundValues<'_, '_>) {
        let first = edge.div_euclid(step);
        for further in -2..MAX_STEPS {
            let factor = first.saturating_add(further);
            self.offer(factor.saturating_mul(step), found);
        }
    }

    /// Offers a number, or the whole number below it.
    fn offer(&self, number: i128, found: &mut FoundValues<'_, '_>) {
        if found.is_done() {
            return;
        }
        let mut rounded = number;
        if self.is_of_integers {
            rounded = number.saturating_sub(number.rem_euclid(self.one));
        }
        let sign = if rounded < 0 { "-" } else { "" };
        let width = self.decimal_places + 1;
        let digits = format!("{:0>width$}", rounded.unsigned_abs());
        let (integer, fraction) = digits.split_at(digits.len() - self.decimal_places);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        found.offer(Json::Number(
            format!("{sign}{integer}{point}{fraction}").into(),
        ));
    }
}

/// Returns the number of decimal places of a number as written.
fn places_of(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, after)| after.len())
}
