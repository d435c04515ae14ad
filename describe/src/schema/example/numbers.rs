//! Makes numbers.

use super::Found;
use crate::json::{Decimal, Json};
use crate::schema::kinds::Kinds;
use crate::schema::view::View;

/// The number of steps on each side of a bound that are tried.
const STEPS: i128 = 40;
/// The length from which on a bound is not read, in digits.
const MAX_DIGITS: usize = 400;
/// The maximum number of decimal places.
const PLACES: usize = 17;

/// Offers whole numbers or fractions, the most usual first.
pub(super) fn offer(case: &View<'_>, kind: Kinds, found: &mut Found<'_, '_>) {
    let bounds = case.numbers();
    let is_short = |text: &&str| text.len() < MAX_DIGITS;
    let least = bounds.least.map(|bound| bound.number).filter(is_short);
    let most = bounds.most.map(|bound| bound.number).filter(is_short);
    let steps: Vec<&str> = bounds.steps.into_iter().filter(is_short).collect();
    let edges: Vec<&str> = least.into_iter().chain(most).chain(steps.clone()).collect();
    // One place more than any bound has, so that there are numbers between two bounds.
    let places = edges.iter().map(|text| places(text)).max().unwrap_or(0) + 1;
    let places = places.min(PLACES);
    let scale = Scale {
        is_whole: kind == Kinds::INTEGER,
        places,
        one: (0..places).fold(1, |one, _| one * 10),
    };
    // The bounds of a type make poor examples.
    if case.width().is_some() {
        let usual = if scale.is_whole { 2 } else { 3 };
        scale.offer(usual * scale.half(), found);
    }
    let zero = Decimal::new("0");
    for text in edges.into_iter().filter(|text| Decimal::new(text) != zero) {
        match scale.read(text) {
            Some(number) if scale.is_whole => scale.offer(number, found),
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
    let steps = steps.into_iter().filter_map(|text| scale.read(text));
    for step in steps.filter(|step| *step > 0) {
        for edge in low.into_iter().chain(high).chain([0]) {
            let first = edge.div_euclid(step);
            for at in -2..STEPS {
                scale.offer(first.saturating_add(at).saturating_mul(step), found);
            }
        }
    }
    for at in (1..STEPS).map(|at| at * scale.one) {
        if let Some(low) = low {
            scale.offer(low.saturating_add(at), found);
        }
        if let Some(high) = high {
            scale.offer(high.saturating_sub(at), found);
        }
        scale.offer(at + scale.one, found);
    }
    for at in 1..4 {
        scale.offer(-at * scale.one, found);
    }
}

/// Numbers as multiples of a power of ten, so that sums and multiples are exact.
struct Scale {
    is_whole: bool,
    places: usize,
    one: i128,
}

impl Scale {
    fn half(&self) -> i128 {
        self.one / 2
    }

    /// Reads a number, if it has few enough digits.
    fn read(&self, text: &str) -> Option<i128> {
        if text.contains(['e', 'E']) {
            return Decimal::new(text).to_i128()?.checked_mul(self.one);
        }
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        let missing = self.places.checked_sub(after.len())?;
        [before, after, &"0".repeat(missing)].concat().parse().ok()
    }

    /// Offers a number, or the whole number below it.
    fn offer(&self, number: i128, found: &mut Found<'_, '_>) {
        let rest = if self.is_whole {
            number.rem_euclid(self.one)
        } else {
            0
        };
        let number = number.saturating_sub(rest);
        let sign = if number < 0 { "-" } else { "" };
        let width = self.places + 1;
        let digits = format!("{:0>width$}", number.unsigned_abs());
        let (before, after) = digits.split_at(digits.len() - self.places);
        let after = after.trim_end_matches('0');
        let point = if after.is_empty() { "" } else { "." };
        found.offer(Json::Number(format!("{sign}{before}{point}{after}").into()));
    }
}

/// Returns the number of decimal places of a number as written.
fn places(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, after)| after.len())
}
