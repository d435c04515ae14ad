//! Combinations of parameter values, for faults that only two values together show.

/// The maximum number of combinations of a procedure that are all made.
const ALL: usize = 48;
/// A prime number that is not below the number of values of a parameter.
const PRIME: usize = 11;

/// Chooses one item from each of several lists of these sizes: in all possible ways if they are few,
/// otherwise in [`PRIME`] × [`PRIME`] ways that cover all pairs.
///
/// Each list steps through its items at a speed of its own. Modulo a prime, two different speeds make
/// every pair of positions meet once. (Of more than [`PRIME`] lists, some share a speed.)
pub(super) fn covering(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut each = sizes.iter();
    let multiplied = each.try_fold(1_usize, |all, size| all.checked_mul(*size));
    if let Some(count) = multiplied.filter(|count| *count <= ALL) {
        return (0..count).map(|number| digits(number, sizes)).collect();
    }
    let rows = (0..PRIME).flat_map(|start| (0..PRIME).map(move |step| (start, step)));
    let row = |(start, step)| {
        let positions = sizes.iter().enumerate();
        let choose = |(speed, size): (usize, &usize)| (start + speed * step) % PRIME % size;
        positions.map(choose).collect()
    };
    rows.map(row).collect()
}

/// Returns the digits of a number in which each digit has a base of its own.
fn digits(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let digit = |size: &usize| {
        let digit = number % size;
        number /= size;
        digit
    };
    sizes.iter().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::covering;

    #[test]
    fn few_combinations_are_all_made() {
        let all: HashSet<_> = covering(&[2, 3, 4]).into_iter().collect();
        assert_eq!(all.len(), 24);
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
