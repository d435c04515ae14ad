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

use indexmap::{IndexMap, IndexSet};

use docent_describe::ServiceDescription;
use docent_describe::json::Pointer;
pub use openrpc::openrpc_pointer;
pub use phrase::{CHANGES, Phrase};
pub use rule::{Rule, Verdict};

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
    let mut changes = Changes::default();
    service::compare(old, new, &mut changes);
    changes.0.into_iter().collect()
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

/// The changes so far, without duplicates.
#[derive(Default)]
struct Changes(IndexSet<Change>);

impl Changes {
    /// Adds a change unless it has been added before.
    fn add(&mut self, change: Change) {
        self.0.insert(change);
    }
}

/// Collects the changes of a procedure or of the service.
struct Report<'a> {
    changes: &'a mut Changes,
    procedure: Option<&'a str>,
    /// The pointers to the procedure in both descriptions.
    old: Pointer,
    new: Pointer,
}

impl Report<'_> {
    /// Adds a change of something in the new description.
    fn now(&mut self, rule: Rule, tokens: &[&dyn fmt::Display], phrase: Phrase) {
        let place = inside(&self.new, tokens);
        self.at(rule, Document::New, place, phrase);
    }

    /// Adds a change of something that is in the old description only.
    fn gone(&mut self, rule: Rule, tokens: &[&dyn fmt::Display], phrase: Phrase) {
        let place = inside(&self.old, tokens);
        self.at(rule, Document::Old, place, phrase);
    }

    /// Adds a change if something was switched on or off. The last token names a member that is
    /// there only if it is on.
    fn switched(
        &mut self,
        (old, new): (bool, bool),
        tokens: &[&dyn fmt::Display],
        on: (Rule, Phrase),
        off: (Rule, Phrase),
    ) {
        match (old, new) {
            (false, true) => self.now(on.0, tokens, on.1),
            (true, false) => self.now(off.0, &tokens[..tokens.len() - 1], off.1),
            _ => {}
        }
    }

    fn at(&mut self, rule: Rule, document: Document, pointer: Pointer, phrase: Phrase) {
        self.changes.add(Change {
            rule,
            document,
            pointer,
            procedure: self.procedure.map(str::to_owned),
            message: phrase.to_string(),
            phrase,
        });
    }
}

fn inside(start: &Pointer, tokens: &[&dyn fmt::Display]) -> Pointer {
    let tokens = tokens.iter();
    tokens.fold(start.clone(), |pointer, token| pointer.join(token))
}

/// Pairs old and new items: first those for which `corresponds` says so on the first attempt, then
/// those of the second, and so on. Returns their indexes in the order of the old items.
fn paired<T>(
    old: &[T],
    new: &[T],
    attempts: usize,
    mut corresponds: impl FnMut(usize, &T, &T) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for attempt in 0..attempts {
        for (before, one) in old.iter().enumerate() {
            let is_free = |after: usize| !pairs.iter().any(|pair| pair.1 == after);
            if pairs.iter().any(|pair| pair.0 == before) {
                continue;
            }
            let mut others = new.iter().enumerate().filter(|(after, _)| is_free(*after));
            if let Some((after, _)) = others.find(|(_, other)| corresponds(attempt, one, other)) {
                pairs.push((before, after));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
