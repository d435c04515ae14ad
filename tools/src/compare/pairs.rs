//! Finds out which items of two lists are the same item in an old and a new version.
//!
//! The caller decides which items correspond. This file ensures that each item has at most one partner, and that
//! better reasons come first.

/// An item of one or both of two lists, with its indexes.
#[derive(Clone, Copy)]
pub(super) enum Paired {
    /// The item is in both lists.
    Kept { before: usize, after: usize },
    /// The item is in the old list only.
    Removed(usize),
    /// The item is in the new list only.
    Added(usize),
}

/// Pairs old and new items: first those for which `corresponds` says so on the first attempt (0),
/// then those of the second, and so on. Returns those of the old list alone first, and then those of the new list, in
/// its order.
pub(super) fn paired<T>(
    old: &[T],
    new: &[T],
    attempts: usize,
    mut corresponds: impl FnMut(usize, &T, &T) -> bool,
) -> Vec<Paired> {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    for attempt in 0..attempts {
        for (before, item) in old.iter().enumerate() {
            if partners.contains(&Some(before)) {
                continue;
            }
            let mut free = (0..new.len()).filter(|after| partners[*after].is_none());
            if let Some(after) = free.find(|after| corresponds(attempt, item, &new[*after])) {
                partners[after] = Some(before);
            }
        }
    }
    let removed = (0..old.len()).filter(|before| !partners.contains(&Some(*before)));
    let mut pairs: Vec<Paired> = removed.map(Paired::Removed).collect();
    for (after, partner) in partners.iter().enumerate() {
        pairs.push(match partner {
            Some(before) => Paired::Kept {
                before: *before,
                after,
            },
            None => Paired::Added(after),
        });
    }
    pairs
}
