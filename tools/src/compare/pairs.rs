//! Finds out which items of two lists are the same item in an old and a new version.
//!
//! The caller decides which items correspond. This file ensures that each item has at most one partner, and that
//! better reasons come first.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

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
    let mut partners = Partners::new(old.len(), new.len());
    for attempt in 0..attempts {
        partners.join_if(|before, after| corresponds(attempt, &old[before], &new[after]));
    }
    partners.into_pairs()
}

/// The partners that have been found so far.
pub(super) struct Partners {
    /// The old partner of each new item.
    of_new: Vec<Option<usize>>,
    /// True for each old item that has a partner.
    has_new: Vec<bool>,
}

impl Partners {
    /// Begins with so many old and new items, none of which has a partner.
    pub(super) fn new(old: usize, new: usize) -> Self {
        Self {
            of_new: vec![None; new],
            has_new: vec![false; old],
        }
    }

    /// Makes partners of two items that have none.
    fn join(&mut self, before: usize, after: usize) {
        self.of_new[after] = Some(before);
        self.has_new[before] = true;
    }

    /// Returns whether an old item has no partner.
    fn is_left_old(&self, before: usize) -> bool {
        !self.has_new[before]
    }

    /// Returns whether a new item has no partner.
    fn is_left_new(&self, after: usize) -> bool {
        self.of_new[after].is_none()
    }

    /// Makes partners of old and new items with the same key, of those that have a key and no partner: of the first
    /// ones, then of the second ones, and so on. There may be thousands.
    pub(super) fn join_by_key<K: Eq + Hash>(
        &mut self,
        old: impl Iterator<Item = Option<K>>,
        new: impl Iterator<Item = Option<K>>,
    ) {
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (before, key) in old.enumerate() {
            if let Some(key) = key
                && self.is_left_old(before)
            {
                by_key.entry(key).or_default().push_back(before);
            }
        }
        for (after, key) in new.enumerate() {
            if let Some(key) = key
                && self.is_left_new(after)
                && let Some(before) = by_key.get_mut(&key).and_then(VecDeque::pop_front)
            {
                self.join(before, after);
            }
        }
    }

    /// Makes partners of each old item and the first new one that corresponds to it, of those that have none.
    pub(super) fn join_if(&mut self, mut corresponds: impl FnMut(usize, usize) -> bool) {
        for before in 0..self.has_new.len() {
            if !self.is_left_old(before) {
                continue;
            }
            let partner = (0..self.of_new.len())
                .find(|after| self.is_left_new(*after) && corresponds(before, *after));
            if let Some(after) = partner {
                self.join(before, after);
            }
        }
    }

    /// Returns how many pairs there are of an old and a new item without partners.
    pub(super) fn pairs_left(&self) -> usize {
        let old = self.has_new.iter().filter(|has_new| !**has_new).count();
        let new = self.of_new.iter().filter(|old| old.is_none()).count();
        old * new
    }

    /// Returns the old items without a partner first, and then the new items, in their order.
    pub(super) fn into_pairs(self) -> Vec<Paired> {
        let removed = (0..self.has_new.len()).filter(|before| !self.has_new[*before]);
        let mut pairs: Vec<Paired> = removed.map(Paired::Removed).collect();
        for (after, partner) in self.of_new.into_iter().enumerate() {
            pairs.push(match partner {
                Some(before) => Paired::Kept { before, after },
                None => Paired::Added(after),
            });
        }
        pairs
    }
}
