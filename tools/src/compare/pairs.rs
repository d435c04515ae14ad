//! Finds out which items of two lists are the same item in an old and a new version.
//!
//! The caller says which items correspond, the best reason first:
//!
//! ```text
//! let mut partners = Partners::new(old.len(), new.len());
//! partners.join_if(|before, after| old[before].name == new[after].name);
//! partners.join_if(|before, after| new[after].has_alias(&old[before].name));
//! for pair in partners.into_pairs() { … }
//! ```
//!
//! This file ensures that each item has at most one partner, and that an item which found one for a better reason keeps
//! it.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// An item of one or both of two lists, with its indexes.
#[derive(Clone, Copy)]
pub(super) enum Paired {
    /// The item is in both lists.
    Both { before: usize, after: usize },
    /// The item is in the old list only.
    Removed(usize),
    /// The item is in the new list only.
    Added(usize),
}

/// The partners that have been found so far.
pub(super) struct Partners {
    /// The old partner of each new item.
    of_new: Vec<Option<usize>>,
    /// True for each old item that has a partner.
    has_new: Vec<bool>,
}

impl Partners {
    /// Begins with these numbers of old and new items, none of which has a partner.
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
    fn old_is_alone(&self, before: usize) -> bool {
        !self.has_new[before]
    }

    /// Returns whether a new item has no partner.
    fn new_is_alone(&self, after: usize) -> bool {
        self.of_new[after].is_none()
    }

    /// Makes partners of old and new items with the same key, of those that have a key and no partner: of the first
    /// ones, then of the second ones, and so on. It takes time in proportion to their number, of which there may be
    /// thousands.
    pub(super) fn join_by_key<K: Eq + Hash>(
        &mut self,
        old: impl Iterator<Item = Option<K>>,
        new: impl Iterator<Item = Option<K>>,
    ) {
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (before, key) in old.enumerate() {
            if let Some(key) = key
                && self.old_is_alone(before)
            {
                by_key.entry(key).or_default().push_back(before);
            }
        }
        for (after, key) in new.enumerate() {
            if let Some(key) = key
                && self.new_is_alone(after)
                && let Some(before) = by_key.get_mut(&key).and_then(VecDeque::pop_front)
            {
                self.join(before, after);
            }
        }
    }

    /// Makes partners of each old item and the first new one that corresponds to it, of those that have none.
    pub(super) fn join_if(&mut self, mut corresponds: impl FnMut(usize, usize) -> bool) {
        for before in 0..self.has_new.len() {
            if !self.old_is_alone(before) {
                continue;
            }
            for after in 0..self.of_new.len() {
                if self.new_is_alone(after) && corresponds(before, after) {
                    self.join(before, after);
                    break;
                }
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
        let mut pairs = Vec::new();
        for (before, has_new) in self.has_new.into_iter().enumerate() {
            if !has_new {
                pairs.push(Paired::Removed(before));
            }
        }
        for (after, partner) in self.of_new.into_iter().enumerate() {
            pairs.push(match partner {
                Some(before) => Paired::Both { before, after },
                None => Paired::Added(after),
            });
        }
        pairs
    }
}
