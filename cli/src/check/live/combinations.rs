//! Combinations of parameter values, for faults that only two values together show.

use std::collections::HashSet;

use docent_describe::json::{Json, Object};
use fastrand::Rng;

use super::caller::Form;
use super::jobs::Tasks;

/// The maximum number of combinations of a procedure that are tried exhaustively.
const ALL: usize = 48;
/// The number of combinations that are tried if there are more than [`ALL`].
const MOST: usize = 128;
/// The number of values of each parameter that are combined.
const VALUES: usize = 10;
/// The number of random combinations from which the best is chosen.
const DRAWN: usize = 8;
/// The number of random pairs that are drawn to find one that is not covered yet.
const SOUGHT: usize = 400;

impl Tasks<'_, '_> {
    /// Adds calls that cover all pairs of values of different parameters, as far as [`MOST`] allows.
    pub(super) fn combinations(&mut self, base: &Object, random: &mut Rng) {
        let params = &self.subject.procedure.params;
        let mut choices: Vec<(&str, Vec<Option<&Json>>)> = Vec::new();
        for (param, pool) in params.iter().zip(&self.subject.pools) {
            let mut values: Vec<Option<&Json>> = pool.valid.iter().take(VALUES).map(Some).collect();
            if !param.required {
                values.push(None);
            }
            // A parameter without known values keeps the value that it has.
            if values.is_empty() {
                values.push(base.get(&param.name));
            }
            choices.push((&param.name, values));
        }
        if choices.len() < 2 {
            return;
        }
        let sizes: Vec<usize> = choices.iter().map(|(_, values)| values.len()).collect();
        for chosen in covering(&sizes, random) {
            let members = choices
                .iter()
                .zip(chosen)
                .filter_map(|((name, values), at)| {
                    let value = values.get(at).copied().flatten()?;
                    Some(((*name).to_owned(), value.clone()))
                });
            let params = self.subject.by_name(&members.collect());
            self.add(Form::Post, params);
        }
    }
}

/// Chooses one item from each of several lists of these sizes: in all possible ways if they are few,
/// otherwise in ways that cover as many pairs as possible.
fn covering(sizes: &[usize], random: &mut Rng) -> Vec<Vec<usize>> {
    let count = sizes
        .iter()
        .try_fold(1_usize, |all, size| all.checked_mul(*size));
    if let Some(count) = count.filter(|count| *count <= ALL) {
        return (0..count).map(|number| digits(number, sizes)).collect();
    }
    let mut met = HashSet::new();
    let mut all = Vec::new();
    while all.len() < MOST {
        let mut drawn_pairs = (0..SOUGHT).map(|_| pair(sizes, random));
        let Some([at, one, other, two]) = drawn_pairs.find(|pair| !met.contains(pair)) else {
            break;
        };
        let drawn = (0..DRAWN).map(|_| {
            let mut chosen: Vec<usize> = sizes.iter().map(|size| random.usize(..size)).collect();
            (chosen[at], chosen[other]) = (one, two);
            chosen
        });
        let new = |chosen: &Vec<usize>| pairs(chosen).filter(|pair| !met.contains(pair)).count();
        let Some(best) = drawn.max_by_key(new) else {
            break;
        };
        met.extend(pairs(&best));
        all.push(best);
    }
    all
}

/// Draws a random pair of choices from two different lists, in the form of [`pairs`].
fn pair(sizes: &[usize], random: &mut Rng) -> [usize; 4] {
    let at = random.usize(..sizes.len() - 1);
    let other = random.usize(at + 1..sizes.len());
    let one = random.usize(..sizes[at]);
    [at, one, other, random.usize(..sizes[other])]
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

/// Returns all pairs of choices, each with its position.
fn pairs(chosen: &[usize]) -> impl Iterator<Item = [usize; 4]> {
    let later = move |(at, one): (usize, &usize)| {
        let one = *one;
        let rest = chosen.iter().enumerate().skip(at + 1);
        rest.map(move |(other, two)| [at, one, other, *two])
    };
    chosen.iter().enumerate().flat_map(later)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{covering, pairs};

    #[test]
    fn few_combinations_are_all_made() {
        let mut random = fastrand::Rng::with_seed(1);
        let all: HashSet<_> = covering(&[2, 3, 4], &mut random).into_iter().collect();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn of_many_combinations_those_are_made_in_which_pairs_meet() {
        let mut random = fastrand::Rng::with_seed(1);
        let all = covering(&[10, 11, 11], &mut random);
        let met: HashSet<_> = all.iter().flat_map(|one| pairs(one)).collect();
        let possible = 10 * 11 + 10 * 11 + 11 * 11;
        assert!(met.len() > possible * 9 / 10, "{} of {possible}", met.len());
        assert!(all.len() <= 128);
    }
}
