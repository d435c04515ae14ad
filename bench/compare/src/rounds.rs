//! Alternating rounds and their statistics.
//!
//! A machine's speed changes from second to second, but hardly between two measurements that
//! directly follow each other. So ratios are taken within a round, and the rounds show their spread.

use std::fmt;

/// A median and its quartiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) lower: f64,
    upper: f64,
}

impl Spread {
    /// Computes the spread of some values. Without values it is NaN.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self {
            median: quantile(&values, 0.5),
            lower: quantile(&values, 0.25),
            upper: quantile(&values, 0.75),
        }
    }
}

/// Writes the median and the quartiles, unless they are equal.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            median,
            lower,
            upper,
        } = self;
        if lower.to_bits() == upper.to_bits() {
            return write!(f, "{median:.2}");
        }
        write!(f, "{median:.2} [{lower:.2}–{upper:.2}]")
    }
}

/// Returns the quantile of sorted values, interpolated linearly.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a position between 0 and the number of values"
    )]
    let (position, below) = {
        let position = share * sorted.len().saturating_sub(1) as f64;
        (position, position as usize)
    };
    match (sorted.get(below), sorted.get(below + 1)) {
        (Some(low), Some(high)) => low + (high - low) * position.fract(),
        (Some(low), None) => *low,
        (None, _) => f64::NAN,
    }
}

/// Measures every subject once per round. Each round starts with a different subject. Returns the
/// results of each subject in the order of the rounds.
pub(crate) fn alternate<S, M, E>(
    subjects: &[S],
    rounds: usize,
    mut measure: impl FnMut(&S) -> Result<M, E>,
) -> Result<Vec<Vec<M>>, E> {
    let mut measured: Vec<Vec<M>> = subjects.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for turn in 0..subjects.len() {
            let subject = (round + turn) % subjects.len();
            measured[subject].push(measure(&subjects[subject])?);
        }
    }
    Ok(measured)
}

/// Divides the values by those of the same round in `base`.
pub(crate) fn ratio<M>(rounds: &[M], base: &[M], value: impl Fn(&M) -> f64) -> Spread {
    let mut ratios = Vec::new();
    for (round, base) in rounds.iter().zip(base) {
        ratios.push(value(round) / value(base));
    }
    Spread::of(ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_values() {
        let spread = Spread::of([4.0, 1.0, 3.0, 2.0, 5.0]);
        assert_eq!(spread.to_string(), "3.00 [2.00–4.00]");
        assert_eq!(Spread::of([1.0, 2.0]).to_string(), "1.50 [1.25–1.75]");
        assert_eq!(Spread::of([7.0]).to_string(), "7.00");
        assert!(Spread::of([]).median.is_nan());
    }

    #[test]
    fn rounds_take_turns_at_being_first() {
        let mut order = Vec::new();
        let measured = alternate(&["a", "b"], 3, |subject| {
            order.push(*subject);
            Ok::<_, ()>(order.len())
        });
        assert_eq!(order, ["a", "b", "b", "a", "a", "b"]);
        assert_eq!(measured, Ok(vec![vec![1, 4, 5], vec![2, 3, 6]]));
    }

    #[test]
    fn a_ratio_is_of_values_of_the_same_round() {
        let ratio = ratio(&[2.0, 20.0, 200.0], &[1.0, 10.0, 100.0], |value| *value);
        assert_eq!(ratio.to_string(), "2.00");
    }
}
