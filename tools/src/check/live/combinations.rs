//! Combinations of parameter values, for faults that only two values together show.

use std::collections::BTreeSet;

/// A prime number that is not below the number of values of a parameter.
const PRIME: usize = 11;

/// Chooses one item from each of several lists of these sizes, in at most [`PRIME`] × [`PRIME`] ways that cover
/// all pairs.
///
/// Each list steps through its items at a speed of its own. Modulo a prime, two different speeds make
/// every pair of positions meet once. (Of more than [`PRIME`] lists, some share a speed.)
pub(super) fn covering(sizes: &[usize]) -> Vec<Vec<usize>> {
    let rows = (0..PRIME).flat_map(|start| (0..PRIME).map(move |step| (start, step)));
    let row = |(start, step)| -> Vec<usize> {
        let positions = sizes.iter().enumerate();
        let choose = |(speed, size): (usize, &usize)| (start + speed * step) % PRIME % size;
        positions.map(choose).collect()
    };
    let rows: BTreeSet<Vec<usize>> = rows.map(row).collect();
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
                let met: HashSet<_> = all.iter().map(|it| (it[one], it[other])).collect();
                assert_eq!(met.len(), sizes[one] * sizes[other], "{one} {other}");
            }
        }
    }
}
