//! Finds names that are similar to an unknown one by comparing it with each of them.
//!
//! If there are none, a name also counts if it is the part of the unknown one after a dot, or the other
//! way round.

use super::contract::ServiceContract;

/// The length in bytes above which a name has no suggestions.
pub(super) const MAX_NAME_BYTES: usize = 40;
const MAX_NAMES: usize = 3;

/// Returns the names of similar procedures, the most similar first.
pub(super) fn closest(contract: &ServiceContract, name: &str) -> Vec<String> {
    if name.len() > MAX_NAME_BYTES {
        return Vec::new();
    }
    let wanted = letters(name);
    let mut close: Vec<_> = contract
        .names()
        .filter_map(|name| {
            let letters = letters(name);
            let slips = MAX_NAMES.min(letters.len().max(wanted.len()) / 3);
            let distance = distance(&letters, &wanted);
            (distance <= slips).then(|| (distance, letters, name.to_owned()))
        })
        .collect();
    if close.is_empty() {
        close = contract
            .names()
            .map(|name| (0, letters(name), name.to_owned()))
            .filter(|(_, letters, _)| is_part(letters, &wanted))
            .collect();
    }
    close.sort_unstable();
    close.truncate(MAX_NAMES);
    close.into_iter().map(|(.., name)| name).collect()
}

/// Returns the letters of a name without case and word separators.
fn letters(name: &str) -> Vec<char> {
    let name = name.replace(['_', '-'], "");
    name.chars().flat_map(char::to_lowercase).collect()
}

/// Returns whether one of two names is the part of the other after a dot.
fn is_part(one: &[char], other: &[char]) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let dot = long.len().checked_sub(short.len() + 1);
    !short.is_empty() && long.ends_with(short) && dot.is_some_and(|dot| long[dot] == '.')
}

/// Returns the number of letters to insert, remove, change, or swap with their neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let moved = table[i - 1][j].min(table[i][j - 1]) + 1;
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            table[i][j] = changed.min(moved);
            if swapped {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[a.len()][b.len()]
}
