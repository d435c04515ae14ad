//! Collects changes while two descriptions are compared.

use std::collections::HashSet;
use std::fmt::Display;

use docent_describe::json::{Json, Object, Pointer};
use indexmap::IndexSet;

use super::change::{Change, Document};
use super::pairs::Both;
use super::phrase::{Phrase, phrase};
use super::rule::{Rule, Words};
use super::values::{SchemaComparison, SchemaUse, shown_or_none};

/// The maximum number of changes before only the first of its rule is told among those that have been told of another
/// procedure. Procedures that share a type share its changes, so that their number can grow with the square of the
/// document.
const MAX_SHARED_CHANGES: usize = 20_000;

/// The changes of two descriptions.
#[derive(Default)]
pub(super) struct Changes {
    /// The changes, without duplicates.
    pub(super) all: IndexSet<Change>,
    /// The places of changes of schemas that have been told.
    told: HashSet<(Rule, Document, Pointer)>,
}

/// Collects the changes of a part of the descriptions.
pub(super) struct Report<'a, 'j> {
    pub(super) changes: &'a mut Changes,
    pub(super) values: &'a mut SchemaComparison<'j>,
    pub(super) procedure: Option<&'a str>,
    /// The pointers to the part in both descriptions.
    pub(super) old: Pointer,
    pub(super) new: Pointer,
}

impl<'j> Report<'_, 'j> {
    /// Returns the report of a member, which is a path of names.
    pub(super) fn inside(&mut self, member: &str) -> Report<'_, 'j> {
        Report {
            old: inside(&self.old, member),
            new: inside(&self.new, member),
            changes: self.changes,
            values: self.values,
            procedure: self.procedure,
        }
    }

    /// Returns the report of an element of a list, or of one of many members, by its places.
    pub(super) fn element(
        &mut self,
        list: &str,
        before: impl Display,
        after: impl Display,
    ) -> Report<'_, 'j> {
        let mut report = self.inside(list);
        report.old.push(before);
        report.new.push(after);
        report
    }

    /// Adds a change of a member in the new description, or of the part itself. A rule with several
    /// sentences comes with the key of the one that is meant.
    pub(super) fn now(&mut self, rule: impl Into<Words>, member: &str, values: &[&dyn Display]) {
        let (rule, key) = rule.into();
        self.told(rule, Document::New, member, phrase(key, values));
    }

    /// Adds a change of a member that is in the old description only.
    pub(super) fn gone(&mut self, rule: impl Into<Words>, member: &str, values: &[&dyn Display]) {
        let (rule, key) = rule.into();
        self.told(rule, Document::Old, member, phrase(key, values));
    }

    /// Adds a change if something was switched on or off. The member is there only if it is on.
    pub(super) fn switched(
        &mut self,
        (old, new): (bool, bool),
        member: &str,
        values: &[&dyn Display],
        [on, off]: [impl Into<Words>; 2],
    ) {
        match (old, new) {
            (false, true) => self.now(on, member, values),
            (true, false) => self.now(off, "", values),
            _ => {}
        }
    }

    /// Adds a change of a member in one of the descriptions, with a sentence.
    pub(super) fn told(&mut self, rule: Rule, document: Document, member: &str, phrase: Phrase) {
        let start = match document {
            Document::Old => &self.old,
            Document::New => &self.new,
        };
        let place = inside(start, member);
        self.at(rule, document, place, phrase);
    }

    /// Adds the changes of members that mean something to their readers: those of OpenRPC whose names begin with `x-`.
    /// Returns whether others changed.
    pub(super) fn extensions(&mut self, old: &Object, new: &Object) -> bool {
        let mut have_others = false;
        let names: IndexSet<_> = new.keys().chain(old.keys()).collect();
        for name in names {
            let (was, is) = (old.get(name), new.get(name));
            if was == is {
                continue;
            }
            match name.strip_prefix('$').filter(|name| name.starts_with("x-")) {
                None => have_others = true,
                Some(written) => {
                    let message = phrase("change.extension", &[&written])
                        .and(shown_or_none(is))
                        .and(shown_or_none(was));
                    self.told(Rule::KeywordChanged, Document::New, "", message);
                }
            }
        }
        have_others
    }

    /// Adds the differences between two schemas at this place.
    pub(super) fn schemas(&mut self, schemas: Both<'j, Json>, site: &SchemaUse) {
        let places = (&self.old, &self.new);
        let found = self.values.differences(schemas, places, site);
        let has_room = self.changes.all.len() + found.len() <= MAX_SHARED_CHANGES;
        let mut shared = HashSet::new();
        for found in found {
            let rule = found.effect.rule(site);
            let place = (rule, found.document, found.pointer.clone());
            if self.changes.told.insert(place) || has_room || shared.insert(rule) {
                let message = found.message(site);
                self.at(rule, found.document, found.pointer, message);
            }
        }
    }

    fn at(&mut self, rule: Rule, document: Document, pointer: Pointer, phrase: Phrase) {
        self.changes.all.insert(Change {
            rule,
            document,
            pointer,
            procedure: self.procedure.map(str::to_owned),
            message: phrase.to_string(),
            phrase,
        });
    }
}

fn inside(start: &Pointer, member: &str) -> Pointer {
    member
        .split('/')
        .filter(|name| !name.is_empty())
        .fold(start.clone(), |pointer, name| pointer.join(name))
}
