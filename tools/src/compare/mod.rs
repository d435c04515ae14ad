//! Compares two descriptions of a service, and reports what each change means to callers.
//!
//! Every change has a [`Rule`], and every rule a [`Verdict`]. Parameters and results are judged in
//! opposite directions: a parameter that accepts less breaks callers, and so does a result with new
//! possible values. [Rules](crate::inclusion::Includes) find out whether a schema became narrower or wider.
//! A change that cannot be decided is never safe.

mod access;
mod errors;
mod openrpc;
mod params;
mod phrase;
mod procedure;
mod promises;
mod rule;
mod service;
mod values;

use std::fmt;
use std::hash::Hash;

use docent_describe::ServiceDescription;
use docent_describe::json::Pointer;
use indexmap::{IndexMap, IndexSet};

pub use openrpc::openrpc_pointer;
use phrase::phrase;
pub use phrase::{CHANGES, Phrase};
pub use rule::{Rule, Verdict};
use values::SchemaComparison;

/// A change between two descriptions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The kind of change.
    pub rule: Rule,
    /// The description that the pointer points into: the old one if something was removed.
    pub document: Document,
    /// The place of the change in the format of `rpc.describe`.
    pub pointer: Pointer,
    /// The name of the procedure, if it is about one.
    pub procedure: Option<String>,
    /// A sentence in English that says what changed.
    pub message: String,
    /// The same sentence for other languages.
    pub phrase: Phrase,
}

impl Change {
    /// Returns the effect of the change on callers.
    pub fn verdict(&self) -> Verdict {
        self.rule.verdict()
    }
}

impl fmt::Display for Change {
    /// Writes the rule, the procedure if there is one, and the sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.rule)?;
        if let Some(procedure) = &self.procedure {
            write!(f, "{procedure}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// One of the two descriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl Document {
    /// Returns the word for the description: `old` or `new`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

/// Compares two descriptions of a service and lists the changes, those of the service first and then
/// those of each procedure.
///
/// ```
/// use docent_tools::compare::{Verdict, compare};
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let old = ServiceDescription {
///     procs: vec![ProcedureDescription { name: "sum".into(), ..Default::default() }],
///     ..Default::default()
/// };
/// let changes = compare(&old, &ServiceDescription::default());
/// assert_eq!(changes[0].rule.as_str(), "procedure-removed");
/// assert_eq!(changes[0].verdict(), Verdict::Breaking);
/// ```
pub fn compare(old: &ServiceDescription, new: &ServiceDescription) -> Vec<Change> {
    let mut changes = IndexSet::new();
    let mut report = Report {
        changes: &mut changes,
        values: &mut SchemaComparison::new(old, new),
        procedure: None,
        old: Pointer::root(),
        new: Pointer::root(),
    };
    service::compare(old, new, &mut report);
    changes.into_iter().collect()
}

/// Merges changes that are the same for several procedures, as when these use the same type.
/// Returns the first change of each group, with the names of the procedures.
///
/// Items with different keys stay apart. The groups are in the order in which they begin.
///
/// ```
/// use docent_tools::compare::{compare, merged};
/// use docent_tools::read::read;
///
/// let description = |schema: &str| {
///     let param = r##"{"name": "a", "type": "num", "required": true,
///                      "schema": {"$ref": "#/components/schemas/Page"}}"##;
///     let text = format!(
///         r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [
///              {{"name": "find", "params": [{param}]}}, {{"name": "list", "params": [{param}]}}],
///            "components": {{"schemas": {{"Page": {schema}}}}}}}"#
///     );
///     read(text.as_bytes()).map(|reading| reading.description)
/// };
/// let changes = compare(
///     &description(r#"{"type": "integer"}"#)?,
///     &description(r#"{"type": "integer", "maximum": 9}"#)?,
/// );
/// assert_eq!(changes.len(), 2);
/// let merged = merged(&changes, |change| (change, ()));
/// assert_eq!(merged, [(&changes[0], vec!["find", "list"])]);
/// # Ok::<(), docent_tools::read::ReadError>(())
/// ```
pub fn merged<'c, T, K: Eq + Hash>(
    items: impl IntoIterator<Item = &'c T>,
    change_and_key: impl Fn(&'c T) -> (&'c Change, K),
) -> Vec<(&'c T, Vec<&'c str>)> {
    let mut groups = IndexMap::new();
    for item in items {
        let (change, key) = change_and_key(item);
        let said = (
            (change.rule, change.document),
            (&change.pointer, &change.message),
        );
        let (_, procedures) = groups
            .entry((said, key))
            .or_insert_with(|| (item, Vec::new()));
        procedures.extend(change.procedure.as_deref());
    }
    groups.into_values().collect()
}

/// Collects the changes of a part of the descriptions, without duplicates.
struct Report<'a, 'j> {
    changes: &'a mut IndexSet<Change>,
    values: &'a mut SchemaComparison<'j>,
    procedure: Option<&'a str>,
    /// The pointers to the part in both descriptions.
    old: Pointer,
    new: Pointer,
}

impl<'j> Report<'_, 'j> {
    /// Returns the report of a member, which is a path of names.
    fn inside(&mut self, member: &str) -> Report<'_, 'j> {
        Report {
            old: inside(&self.old, member),
            new: inside(&self.new, member),
            changes: self.changes,
            values: self.values,
            procedure: self.procedure,
        }
    }

    /// Returns the report of an element of a list, or of one of many members, by its places.
    fn element(
        &mut self,
        list: &str,
        before: impl fmt::Display,
        after: impl fmt::Display,
    ) -> Report<'_, 'j> {
        let mut report = self.inside(list);
        report.old.push(before);
        report.new.push(after);
        report
    }

    /// Adds a change of a member in the new description, or of the part itself.
    fn now(&mut self, rule: Rule, member: &str, phrase: Phrase) {
        let place = inside(&self.new, member);
        self.at(rule, Document::New, place, phrase);
    }

    /// Adds a change of a member that is in the old description only.
    fn gone(&mut self, rule: Rule, member: &str, phrase: Phrase) {
        let place = inside(&self.old, member);
        self.at(rule, Document::Old, place, phrase);
    }

    /// Adds a change if something was switched on or off. The member is there only if it is on.
    fn switched(
        &mut self,
        (old, new): (bool, bool),
        member: &str,
        on: (Rule, &'static str),
        off: (Rule, &'static str),
    ) {
        match (old, new) {
            (false, true) => self.now(on.0, member, phrase(on.1, &[])),
            (true, false) => self.now(off.0, "", phrase(off.1, &[])),
            _ => {}
        }
    }

    fn at(&mut self, rule: Rule, document: Document, pointer: Pointer, phrase: Phrase) {
        self.changes.insert(Change {
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
    let names = member.split('/').filter(|name| !name.is_empty());
    names.fold(start.clone(), |pointer, name| pointer.join(name))
}

/// Pairs old and new items: first those for which `corresponds` says so on the first attempt (0),
/// then those of the second, and so on. Returns the indexes, first of old items alone, and then of
/// all new items.
fn paired<T>(
    old: &[T],
    new: &[T],
    attempts: usize,
    mut corresponds: impl FnMut(usize, &T, &T) -> bool,
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    for attempt in 0..attempts {
        for (before, one) in old.iter().enumerate() {
            if partners.contains(&Some(before)) {
                continue;
            }
            let mut free = (0..new.len()).filter(|after| partners[*after].is_none());
            if let Some(after) = free.find(|after| corresponds(attempt, one, &new[*after])) {
                partners[after] = Some(before);
            }
        }
    }
    let gone = (0..old.len()).filter(|before| !partners.contains(&Some(*before)));
    let gone = gone.map(|before| (Some(before), None));
    let kept = partners.iter().enumerate();
    let kept = kept.map(|(after, before)| (*before, Some(after)));
    gone.chain(kept).collect()
}
