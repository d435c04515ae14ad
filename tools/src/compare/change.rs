//! A change between two descriptions, and which changes are one.
//!
//! This is what callers of the library see. How changes are found and collected is in the files beside it.

use std::fmt;
use std::hash::Hash;

use docent_describe::json::Pointer;
use indexmap::IndexMap;

use super::phrase::Phrase;
use super::rule::{Rule, Verdict};

/// A change between two descriptions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

    /// Returns whether the change adds what the pointer leads to: a procedure, a parameter, a member, an error, a
    /// component, a security scheme or a carrier.
    pub fn is_addition(&self) -> bool {
        match self.rule {
            Rule::ProcedureAdded
            | Rule::RequiredParamAdded
            | Rule::ParamInserted
            | Rule::ParamAdded
            | Rule::SentParamAdded
            | Rule::ErrorAdded
            | Rule::ErrorDescribed
            | Rule::ComponentAdded
            | Rule::SchemeAdded
            | Rule::CarrierAdded => true,
            _ => {
                self.phrase.contains("change.value.member.added")
                    || self.phrase.contains("change.value.member.added.required")
            }
        }
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
        let group = (
            change.rule,
            change.document,
            &change.pointer,
            &change.message,
            key,
        );
        let (_, procedures) = groups.entry(group).or_insert_with(|| (item, Vec::new()));
        procedures.extend(change.procedure.as_deref());
    }
    groups.into_values().collect()
}
