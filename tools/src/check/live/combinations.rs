//! Combinations of parameter values, for faults that only two values together show.
//!
//! To try all combinations would take too many calls, and a fault that needs three values is rare. So all pairs are
//! covered, and no more.

use std::collections::BTreeSet;

/// A prime number that is not below the number of values of a parameter.
const SPEED_PRIME: usize = 11;

/// Chooses one item from each of several lists of these sizes, in at most [`SPEED_PRIME`] × [`SPEED_PRIME`] ways that
/// cover all pairs.
///
/// Each list steps through its items at a speed of its own. Modulo a prime, two different speeds make
/// every pair of positions meet once. (Of more than [`SPEED_PRIME`] lists, some share a speed.)
pub(super) fn covering(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = BTreeSet::new();
    for start in 0..SPEED_PRIME {
        for step in 0..SPEED_PRIME {
            let mut row = Vec::new();
            for (speed, size) in sizes.iter().enumerate() {
                row.push((start + speed * step) % SPEED_PRIME % size);
            }
            rows.insert(row);
        }
    }
    rows.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::covering;

    #[test]
    fn few_combinations_are_all_made() {
        assert_eq!(covering(&[2, 3, 4]).len(), 24);
    }

    #[test]
    fn of_many_combinations_those_are_made_in_which_pairs_meet() {
        let sizes = [10, 11, 11, 2, 7];
        let all = covering(&sizes);
        for one in 0..sizes.len() {
            for other in one + 1..sizes.len() {
                let met: HashSet<_> = all.iter().map(|row| (row[one], row[other])).collect();
                assert_eq!(met.len(), sizes[one] * sizes[other], "{one} {other}");
            }
        }
    }
}
