//! Adds differences to those that the walk has found, each at its place.
//!
//! A difference points into the new description if it can, because that is the one which its readers change. A
//! difference about something that is gone points into the old one.

use super::super::change::Document;
use super::super::phrase::{Phrase, phrase};
use super::difference::{Effect, ValueDifference};
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

    /// Adds a difference that points to the first of some nodes of the old description.
    pub(super) fn add_in_old(
        &mut self,
        pair: &ValuePair<'t>,
        nodes: &[&'t Node<'t>],
        effect: Effect,
        detail: Phrase,
    ) {
        self.found.push(ValueDifference {
            document: Document::Old,
            pointer: self.schemas.old.place(nodes, &pair.old_pointer),
            ..pair.difference(effect, detail)
        });
    }

    /// Adds a difference that points to the first of some nodes of the new description, or to one of its keywords.
    pub(super) fn add_in_new(
        &mut self,
        pair: &ValuePair<'t>,
        nodes: &[&'t Node<'t>],
        keyword: &str,
        effect: Effect,
        detail: Phrase,
    ) {
        let mut pointer = self.schemas.new.place(nodes, &pair.new_pointer);
        if !nodes.is_empty() && !keyword.is_empty() {
            pointer.push(keyword);
        }
        self.found.push(ValueDifference {
            pointer,
            ..pair.difference(effect, detail)
        });
    }
}
