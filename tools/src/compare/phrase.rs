//! Sentences about changes, as keys and values that can be written in any language.
//!
//! A comparison adds a [`Phrase`] and never a text, so that pages can report changes in the language of their readers.
//! The English texts are in `changes.txt`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use docent_describe::schema::facts::{fill, texts};

/// The English texts of changes, one `key = text` on each line. `{}` stands for a value.
pub const CHANGE_TEXTS: &str = include_str!("changes.txt");

/// The English texts by key.
static ENGLISH_TEXTS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| texts(CHANGE_TEXTS).collect());

/// A text by its key, and the values in it.
///
/// ```
/// use docent_tools::compare::{CHANGE_TEXTS, compare};
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let mut new = ServiceDescription::default();
/// new.procs = vec![ProcedureDescription::new("sum")];
/// let changes = compare(&ServiceDescription::default(), &new);
/// let phrase = &changes[0].phrase;
/// assert_eq!(phrase.to_string(), "There is a new procedure, `sum`.");
///
/// let german = phrase.translate(&|key| {
///     let text = "Die Prozedur `{}` ist neu.";
///     (key == "change.procedure-added").then(|| text.to_owned())
/// });
/// assert_eq!(german, "Die Prozedur `sum` ist neu.");
/// assert!(CHANGE_TEXTS.contains("change.procedure-added = "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// The key of the text in `changes.txt`.
    key: &'static str,
    /// The values for the places in the text, in order.
    values: Vec<PhraseValue>,
}

/// A value in a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PhraseValue {
    /// The same in every language.
    Literal(String),
    /// A phrase inside the phrase, which is written in the same language.
    Phrase(Phrase),
}

impl From<Phrase> for PhraseValue {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}

/// Creates a phrase with names, numbers and other literals as its values.
pub(super) fn phrase(key: &'static str, values: &[&dyn fmt::Display]) -> Phrase {
    Phrase {
        key,
        values: values
            .iter()
            .map(|value| PhraseValue::Literal(value.to_string()))
            .collect(),
    }
}

impl Phrase {
    /// Adds a phrase or a literal as the next value.
    pub(super) fn and(mut self, value: impl Into<PhraseValue>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Returns whether this is the phrase of a key, or contains it.
    pub(super) fn contains(&self, key: &str) -> bool {
        self.key == key
            || self.values.iter().any(|value| match value {
                PhraseValue::Literal(_) => false,
                PhraseValue::Phrase(phrase) => phrase.contains(key),
            })
    }

    /// Returns the sentence in another language. `translated` returns the text of a key, or `None` for
    /// the English text; [`CHANGE_TEXTS`] lists all keys.
    pub fn translate(&self, translated: &dyn Fn(&str) -> Option<String>) -> String {
        let mut values = Vec::new();
        for value in &self.values {
            values.push(match value {
                PhraseValue::Literal(text) => Cow::from(text),
                PhraseValue::Phrase(phrase) => Cow::from(phrase.translate(translated)),
            });
        }
        let own = translated(self.key);
        let text = own.as_deref().or(ENGLISH_TEXTS.get(self.key).copied());
        fill(text.unwrap_or_default(), &values)
    }
}

// The sentence in English.
docent_describe::display!(Phrase, |phrase| &phrase.translate(&|_| None));

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::rule::Rule;
    use super::*;

    /// A key without a text would leave the reader without a sentence.
    #[test]
    fn every_key_has_a_text_and_every_text_is_used() {
        let sources = [
            include_str!("access.rs"),
            include_str!("errors.rs"),
            include_str!("params.rs"),
            include_str!("procedure.rs"),
            include_str!("promises.rs"),
            include_str!("sent.rs"),
            include_str!("service.rs"),
            include_str!("values/add.rs"),
            include_str!("values/annotations.rs"),
            include_str!("values/difference.rs"),
            include_str!("values/keywords.rs"),
            include_str!("values/mod.rs"),
            include_str!("values/objects.rs"),
            include_str!("values/reconcile.rs"),
            include_str!("values/unions.rs"),
            include_str!("report.rs"),
        ];
        let mut asked: HashSet<&str> = sources
            .iter()
            .flat_map(|source| source.split("\"change.").skip(1))
            .map(|rest| rest.split('"').next().unwrap_or_default())
            .collect();
        // Rules of schemas have sentences made of several; so have those that name a key each time.
        let has_own = |rule: &&Rule| {
            sources[..7].concat().contains(&format!("Rule::{rule:?}"))
                && !sources
                    .concat()
                    .contains(&format!("Rule::{rule:?}.sentence(\"change."))
                && !matches!(
                    rule,
                    Rule::DefaultChanged
                        | Rule::BehindChanged
                        | Rule::BehindEased
                        | Rule::ResumeAdded
                        | Rule::ResumeRemoved
                        | Rule::RepeatableShortened
                        | Rule::LimitLowered
                        | Rule::LimitChanged
                        | Rule::LimitRaised
                )
        };
        asked.extend(Rule::ALL.iter().filter(has_own).map(|rule| rule.as_str()));
        let known: HashSet<&str> = ENGLISH_TEXTS
            .keys()
            .filter_map(|key| key.strip_prefix("change."))
            .collect();
        let missing: Vec<_> = asked.difference(&known).collect();
        assert!(missing.is_empty(), "{missing:?} have no text");
        let unused: Vec<_> = known.difference(&asked).collect();
        assert!(unused.is_empty(), "nothing says {unused:?}");
    }
}
