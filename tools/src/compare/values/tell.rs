//! Adds differences, each at its place.
//!
//! A difference is shown in the new description if it can be, because that is the one which its readers change. What is
//! gone is shown in the old one.

use super::super::change::Document;
use super::super::phrase::{Phrase, phrase};
use super::found::{Effect, ValueDifference};
use super::{ValuePair, Walk};
use docent_describe::schema::Node;

impl ValuePair<'_> {
    /// Creates a difference at this place.
    pub(super) fn difference(&self, effect: Effect, detail: Phrase) -> ValueDifference {
        ValueDifference {
            effect,
            document: Document::New,
            pointer: self.new_pointer.clone(),
            shared: self.shared.clone(),
            path: self.path.clone(),
            detail,
            witness: None,
        }
    }
}

impl<'t> Walk<'_, 't> {
    /// Adds a difference that needs no more than a sentence.
    pub(super) fn add(&mut self, pair: &ValuePair<'t>, effect: Effect, key: &'static str) {
        self.add_detail(pair, effect, phrase(key, &[]));
    }

    /// Adds a difference between the values as a whole.
    pub(super) fn add_detail(&mut self, pair: &ValuePair<'t>, effect: Effect, detail: Phrase) {
        self.found.push(pair.difference(effect, detail));
    }

    /// Adds a difference that the first of some nodes of the old description shows.
    pub(super) fn add_in_old(
        &mut self,
        pair: &ValuePair<'t>,
        at: &[&'t Node<'t>],
        effect: Effect,
        detail: Phrase,
    ) {
        self.found.push(ValueDifference {
            document: Document::Old,
            pointer: self.values.old.place(at, &pair.old_pointer),
            ..pair.difference(effect, detail)
        });
    }

    /// Adds a difference that the first of some nodes of the new description shows, or one of its keywords.
    pub(super) fn add_in_new(
        &mut self,
        pair: &ValuePair<'t>,
        at: &[&'t Node<'t>],
        keyword: &str,
        effect: Effect,
        detail: Phrase,
    ) {
        let mut pointer = self.values.new.place(at, &pair.new_pointer);
        if !at.is_empty() && !keyword.is_empty() {
            pointer.push(keyword);
        }
        self.found.push(ValueDifference {
            pointer,
            ..pair.difference(effect, detail)
        });
    }
}
