//! Sets of indices.

/// A set of indices: one word for up to 64 parameters, and a list of words for more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    first: u64,
    more: Vec<u64>,
}

impl Marks {
    /// Adds `index`, and returns whether it is new.
    #[inline]
    pub(crate) fn set(&mut self, index: usize) -> bool {
        let word = match index / 64 {
            0 => &mut self.first,
            further => self.further(further),
        };
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    #[cold]
    fn further(&mut self, word: usize) -> &mut u64 {
        if self.more.len() < word {
            self.more.resize(word, 0);
        }
        &mut self.more[word - 1]
    }

    /// Returns whether every index of `other` is in this set.
    #[inline]
    pub(crate) fn covers(&self, other: &Self) -> bool {
        other.first & !self.first == 0
            && (other.more.is_empty()
                || other.more.iter().enumerate().all(|(at, word)| {
                    let mine = self.more.get(at).copied().unwrap_or_default();
                    word & !mine == 0
                }))
    }
}
