//! Collects changes while two descriptions are compared.
//!
//! A [`ChangeReporter`] stands at one part of both descriptions, and gives reporters for the parts inside it. So a
//! comparison names only the member that changed; pointers and the name of the procedure are added here. What a change
//! means to callers is said by its [`Rule`].

use std::collections::HashSet;
use std::fmt::Display;

use docent_describe::json::{Json, Object, Pointer};
use indexmap::IndexSet;

use super::change::{Change, Document};
use super::pairs::Paired;
use super::phrase::{Phrase, phrase};
use super::rule::{Rule, RuleSentence};
use super::values::{SchemaComparison, SchemaUse, quoted_or_none};

/// The maximum number of changes up to which a procedure has all changes of the types that it shares with others.
///
/// Procedures that share a type share its changes, so that their number can grow with the square of the document. With
/// more changes, a procedure has only the first of each rule among those that have been reported of another one.
const MAX_SHARED_CHANGES: usize = 20_000;

/// The changes of two descriptions.
#[derive(Default)]
pub(super) struct Changes {
    /// The changes, without duplicates.
    pub(super) all: IndexSet<Change>,
    /// The places of changes of schemas that have been reported.
    reported: HashSet<(Rule, Document, Pointer)>,
}

/// Collects the changes of a part of the descriptions.
pub(super) struct ChangeReporter<'a, 'j> {
    /// The changes of all parts so far.
    pub(super) changes: &'a mut Changes,
    /// The comparison of schemas, which remembers its results for all parts.
    pub(super) schemas: &'a mut SchemaComparison<'j>,
    /// The procedure that the part belongs to.
    pub(super) procedure: Option<&'a str>,
    /// The pointers to the part in both descriptions.
    pub(super) old: Pointer,
    pub(super) new: Pointer,
}

impl<'j> ChangeReporter<'_, 'j> {
    /// Returns the reporter of a member, which is a path of names.
    pub(super) fn member(&mut self, member: &str) -> ChangeReporter<'_, 'j> {
        ChangeReporter {
            old: join_path(&self.old, member),
            new: join_path(&self.new, member),
            changes: self.changes,
            schemas: self.schemas,
            procedure: self.procedure,
        }
    }

    /// Returns the reporter of an element of a list, or of one of many members, by its places.
    pub(super) fn element(
        &mut self,
        list: &str,
        before: impl Display,
        after: impl Display,
    ) -> ChangeReporter<'_, 'j> {
        let mut report = self.member(list);
        report.old.push(before);
        report.new.push(after);
        report
    }

    /// Returns the reporter of an item of a list. One that is in a single description has no place in the other.
    pub(super) fn item(&mut self, list: &str, item: Paired) -> ChangeReporter<'_, 'j> {
        match item {
            Paired::Both { before, after } => self.element(list, before, after),
            Paired::Removed(at) | Paired::Added(at) => self.element(list, at, at),
        }
    }

    /// Adds a change of a member in the new description, or of the part itself. A rule with several
    /// sentences comes with the key of the one that is meant.
    pub(super) fn changed(
        &mut self,
        rule: impl Into<RuleSentence>,
        member: &str,
        values: &[&dyn Display],
    ) {
        let RuleSentence { rule, key } = rule.into();
        self.add(rule, Document::New, member, phrase(key, values));
    }

    /// Adds a change of a member that is in the old description only.
    pub(super) fn removed(
        &mut self,
        rule: impl Into<RuleSentence>,
        member: &str,
        values: &[&dyn Display],
    ) {
        let RuleSentence { rule, key } = rule.into();
        self.add(rule, Document::Old, member, phrase(key, values));
    }

    /// Adds a change if something was switched on or off. The member is there only while it is on.
    pub(super) fn switched(
        &mut self,
        member: &str,
        was_on: bool,
        is_on: bool,
        values: &[&dyn Display],
        [on, off]: [impl Into<RuleSentence>; 2],
    ) {
        if is_on && !was_on {
            self.changed(on, member, values);
        } else if was_on && !is_on {
            self.changed(off, "", values);
        }
    }

    /// Adds a change of a member in one of the descriptions, with a sentence.
    pub(super) fn add(&mut self, rule: Rule, document: Document, member: &str, phrase: Phrase) {
        let start = match document {
            Document::Old => &self.old,
            Document::New => &self.new,
        };
        let pointer = join_path(start, member);
        self.insert(rule, document, pointer, phrase);
    }

    /// Adds the changes of members that mean something to their readers: those of OpenRPC whose names begin with `x-`.
    /// Returns whether others changed.
    pub(super) fn compare_extensions(&mut self, old: &Object, new: &Object) -> bool {
        let mut have_others = false;
        let names: IndexSet<_> = new.keys().chain(old.keys()).collect();
        for name in names {
            let before = old.get(name.as_str());
            let after = new.get(name.as_str());
            if before == after {
                continue;
            }
            match name.as_str().strip_prefix('$') {
                Some(written) if written.starts_with("x-") => {
                    let message = phrase("change.extension", &[&written])
                        .and(quoted_or_none(after))
                        .and(quoted_or_none(before));
                    self.add(Rule::KeywordChanged, Document::New, "", message);
                }
                _ => have_others = true,
            }
        }
        have_others
    }

    /// Adds the differences between two schemas at this place.
    pub(super) fn compare_schemas(&mut self, old: &'j Json, new: &'j Json, schema_use: &SchemaUse) {
        let differences = self
            .schemas
            .differences(old, &self.old, new, &self.new, schema_use);
        let has_room = self.changes.all.len() + differences.len() <= MAX_SHARED_CHANGES;
        let mut rules = HashSet::new();
        for difference in differences {
            let rule = difference.effect.rule(schema_use);
            let place = (rule, difference.document, difference.pointer.clone());
            let is_new = self.changes.reported.insert(place);
            if is_new || has_room || rules.insert(rule) {
                let message = difference.message(schema_use);
                self.insert(rule, difference.document, difference.pointer, message);
            }
        }
    }

    /// Adds a change at a place, unless it has been added.
    fn insert(&mut self, rule: Rule, document: Document, pointer: Pointer, phrase: Phrase) {
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

/// Adds names that are separated by slashes to a pointer.
fn join_path(start: &Pointer, names: &str) -> Pointer {
    let mut pointer = start.clone();
    for name in names.split('/').filter(|name| !name.is_empty()) {
        pointer.push(name);
    }
    pointer
}
