//! The texts of the interface, which can be translated.
//!
//! Only the program's own texts are here: a description stays in the language of its author. The texts about
//! constraints come from `docent-describe`, which has the same in errors, and those about changes from the function
//! that compares.
//!
//! A text has a key and perhaps placeholders. `strings/en.txt` and `strings/de.txt` have one text a line:
//!
//! ```text
//! count.procedures.one = {} procedure
//! count.procedures.many = {} procedures
//! ```
//!
//! A text is looked up among the author's replacements, then in the language of the site, then in English.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use docent_describe::code::PROTOCOL_ERRORS;
use docent_describe::schema::Span;
use docent_describe::schema::facts::{self, FACT_TEXTS, fill, texts};

use crate::problem::Problem;

/// Texts by their keys.
type Texts = HashMap<Cow<'static, str>, &'static str>;

/// The default texts, one `key = text` a line, with those for constraints and for errors of the protocol.
static ENGLISH_TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let mut english = read(include_str!("../strings/en.txt"));
    english.extend(read(FACT_TEXTS));
    for error in PROTOCOL_ERRORS {
        let key = format!("protocol.{}", error.code);
        english.insert(format!("{key}.when").into(), error.meaning);
        if !error.advice.is_empty() {
            english.insert(format!("{key}.advice").into(), error.advice);
        }
    }
    english
});

/// The German texts, including those for constraints, errors of the protocol, and changes.
static GERMAN_TEXTS: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../strings/de.txt")));

/// The languages that the interface is translated to, by their primary subtags.
static LANGUAGES: [(&str, &LazyLock<Texts>); 2] = [("en", &ENGLISH_TEXTS), ("de", &GERMAN_TEXTS)];

fn read(file: &'static str) -> Texts {
    texts(file)
        .map(|(key, text)| (Cow::Borrowed(key), text))
        .collect()
}

/// The interface's texts by key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    /// The texts of the language, if there is a translation. A text without one is in English.
    language: Option<&'static LazyLock<Texts>>,
    /// The author's replacements.
    replacements: BTreeMap<String, String>,
}

impl Strings {
    /// Returns the texts of a language, which is given as a BCP 47 tag, with some of them replaced.
    /// They are English if there is no translation. A key that does not exist is a problem.
    pub(crate) fn new(
        tag: &str,
        replacements: BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        for key in replacements.keys() {
            if !LANGUAGES
                .iter()
                .any(|(_, texts)| texts.contains_key(key.as_str()))
            {
                problems.push(Problem::new(
                    format!("string {key}"),
                    "unknown key; `strings/en.txt` and `strings/de.txt`, `facts.txt` of docent-describe and `changes.txt` of docent-tools list the keys",
                ));
            }
        }
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        let language = LANGUAGES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(primary))
            .map(|(_, texts)| *texts);
        Self {
            language,
            replacements,
        }
    }

    /// Returns the text of a key, if there is one.
    pub(crate) fn find(&self, key: &str) -> Option<&str> {
        self.replacements
            .get(key)
            .map(String::as_str)
            .or_else(|| self.language?.get(key).copied())
            .or_else(|| ENGLISH_TEXTS.get(key).copied())
    }

    /// Returns the text of a key that the program itself names. A test checks the keys of this crate
    /// against the file. In place of a missing text, the page has its key, and does not fail.
    pub(crate) fn get<'s>(&'s self, key: &'s str) -> &'s str {
        self.find(key).unwrap_or(key)
    }

    /// Returns the text of a key with `{}` replaced.
    pub(crate) fn with(&self, key: &str, value: &str) -> String {
        self.get(key).replacen("{}", value, 1)
    }

    /// Returns the text of a key with its `{}`s replaced.
    pub(crate) fn with_all(&self, key: &str, values: &[&str]) -> String {
        fill(self.get(key), values)
    }

    /// Returns the text of `{key}.one` or `{key}.many` with `{}` replaced by the number.
    pub(crate) fn count(&self, key: &str, count: usize) -> String {
        let form = if count == 1 { "one" } else { "many" };
        self.with(&format!("{key}.{form}"), &grouped(count))
    }

    /// Returns the sentence that limits the number of a unit, `length`, `items` or `members`, unless any is
    /// allowed.
    pub(crate) fn span(&self, unit: &str, span: Span) -> Option<String> {
        let least = span.least.as_ref().map(ToString::to_string);
        let most = span.most.as_ref().map(ToString::to_string);
        let (key, values) = facts::count(unit, least.as_deref(), most.as_deref())?;
        Some(self.with_all(&key, &values))
    }

    /// Returns the text on how many of a list's `total` elements are beyond the `listed` first, if any.
    pub(crate) fn rest(&self, key: &str, total: usize, listed: usize) -> Option<String> {
        (total > listed).then(|| self.count(key, total - listed))
    }

    /// Returns the texts of a script: those whose keys start with `prefix`, by their keys without it.
    pub(crate) fn of_script(&self, prefix: &str) -> BTreeMap<&str, &str> {
        ENGLISH_TEXTS
            .keys()
            .filter_map(|key| Some((key.strip_prefix(prefix)?, self.get(key))))
            .collect()
    }
}

/// Returns the number with a thin space between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        let digits_left = digits.len() - index;
        if index > 0 && digits_left.is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use docent_tools::compare::{CHANGE_TEXTS, Rule};

    use super::*;

    /// Returns what a text lacks that is written for an English one.
    fn mistakes_of(text: &str, english: &str) -> Vec<&'static str> {
        let mut mistakes = Vec::new();
        if text.trim().is_empty() {
            mistakes.push("is empty");
        }
        if text.matches("{}").count() != english.matches("{}").count() {
            mistakes.push("has other placeholders than the English text");
        }
        // A text that is joined with others begins or ends with a blank.
        for trim in [str::trim_start, str::trim_end] {
            if (trim(text) == text) != (trim(english) == english) {
                mistakes.push("has other blanks around it than the English text");
            }
        }
        mistakes
    }

    #[test]
    fn every_language_has_every_text_with_its_placeholders() {
        // The English sentences about changes are in the crate that compares.
        let mut english_texts = ENGLISH_TEXTS.clone();
        english_texts.extend(read(CHANGE_TEXTS));
        let mut wrong = Vec::new();
        for (language, texts) in LANGUAGES.iter().filter(|(language, _)| *language != "en") {
            let file = format!("docs-gen/strings/{language}.txt");
            for (key, english) in &english_texts {
                match texts.get(key) {
                    Some(text) => {
                        for mistake in mistakes_of(text, english) {
                            wrong.push(format!("{file}: {key} {mistake}"));
                        }
                    }
                    None => wrong.push(format!("{file}: {key} is missing")),
                }
            }
            for key in texts.keys() {
                if !english_texts.contains_key(key) {
                    wrong.push(format!("{file}: {key} is a text that nothing uses"));
                }
            }
        }
        wrong.sort();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_language_has_words_of_its_own_for_every_kind_of_change() {
        let english = read(CHANGE_TEXTS);
        let mut wrong = Vec::new();
        for (language, texts) in LANGUAGES {
            let (texts, file) = match language {
                "en" => (&english, "tools/src/compare/changes.txt".to_owned()),
                _ => (&**texts, format!("docs-gen/strings/{language}.txt")),
            };
            let mut titles = HashSet::new();
            for rule in Rule::ALL {
                match texts.get(format!("rule.{rule}").as_str()) {
                    None => wrong.push(format!("{file}: rule.{rule} is missing")),
                    Some(title) if *title == rule.as_str() => {
                        wrong.push(format!("{file}: rule.{rule} is only the name of the rule"));
                    }
                    Some(title) if !titles.insert(title) => {
                        wrong.push(format!("{file}: rule.{rule} is the title of another rule"));
                    }
                    Some(_) => {}
                }
            }
        }
        wrong.sort();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(
            Rule::ParamRemoved.title().to_string(),
            english["rule.param-removed"]
        );
    }

    #[test]
    fn a_region_or_a_script_does_not_change_the_translation() {
        for (tag, overview) in [
            ("de", "Überblick"),
            ("DE-AT", "Überblick"),
            ("den", "Overview"),
            ("fr", "Overview"),
            ("", "Overview"),
        ] {
            let strings = Strings::new(tag, BTreeMap::new(), &mut Vec::new());
            assert_eq!(strings.get("overview"), overview, "{tag}");
        }
    }
}
